// SPDX-License-Identifier: Apache-2.0
/** A small JSON of our own: a strict parser, an immutable tree, the canonical form, pointers. */
@NullMarked
package dev.semel.payload.json;

import org.jspecify.annotations.NullMarked;

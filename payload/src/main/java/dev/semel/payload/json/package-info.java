// SPDX-License-Identifier: Apache-2.0
/** A small JSON library: a strict parser, an immutable tree, the canonical form and pointers. */
@NullMarked
package dev.semel.payload.json;

import org.jspecify.annotations.NullMarked;

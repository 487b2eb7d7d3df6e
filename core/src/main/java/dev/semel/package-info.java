// SPDX-License-Identifier: Apache-2.0
/** The engine: claim, run, settle, replay. {@link dev.semel.Semel} is the way in. */
@NullMarked
package dev.semel;

import org.jspecify.annotations.NullMarked;

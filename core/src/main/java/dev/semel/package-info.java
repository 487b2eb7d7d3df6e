// SPDX-License-Identifier: Apache-2.0
/** The engine: claim, run, settle, replay. Start with {@link dev.semel.Semel}. */
@NullMarked
package dev.semel;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/** Expensive operations, workflow steps and payments on the one claim protocol. */
@NullMarked
package dev.semel.operations;

import org.jspecify.annotations.NullMarked;

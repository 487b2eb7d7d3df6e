// SPDX-License-Identifier: Apache-2.0
/** Expensive operations, workflow steps and payments that run once, on the claim protocol. */
@NullMarked
package dev.semel.operations;

import org.jspecify.annotations.NullMarked;

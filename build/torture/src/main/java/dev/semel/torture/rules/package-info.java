// SPDX-License-Identifier: Apache-2.0
/** The checker: one class for each rule that a history must satisfy. */
@NullMarked
package dev.semel.torture.rules;

import org.jspecify.annotations.NullMarked;

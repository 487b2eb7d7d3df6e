// SPDX-License-Identifier: Apache-2.0
/** Programs to start from. */
@NullMarked
package dev.semel.examples;

import org.jspecify.annotations.NullMarked;

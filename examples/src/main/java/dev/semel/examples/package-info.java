// SPDX-License-Identifier: Apache-2.0
/** Example programs, which the README shows. */
@NullMarked
package dev.semel.examples;

import org.jspecify.annotations.NullMarked;

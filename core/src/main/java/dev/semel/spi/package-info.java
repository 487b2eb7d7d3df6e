// SPDX-License-Identifier: Apache-2.0
/** The interface that a store implements, and its values. Applications do not need this package. */
@NullMarked
package dev.semel.spi;

import org.jspecify.annotations.NullMarked;

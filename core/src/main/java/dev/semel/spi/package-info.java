// SPDX-License-Identifier: Apache-2.0
/** What a store implements, and the values that it gets and returns. Applications do not need this package. */
@NullMarked
package dev.semel.spi;

import org.jspecify.annotations.NullMarked;

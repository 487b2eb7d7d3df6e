// SPDX-License-Identifier: Apache-2.0
/** Benchmarks of Semel, compared with raw SQL and other libraries in the same run. {@code ./semel bench} runs them. */
@NullMarked
package dev.semel.benchmarks;

import org.jspecify.annotations.NullMarked;

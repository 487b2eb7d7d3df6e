// SPDX-License-Identifier: Apache-2.0
/** What Semel costs, measured beside raw SQL and beside its peers in the same run. {@code ./semel bench} runs it. */
@NullMarked
package dev.semel.benchmarks;

import org.jspecify.annotations.NullMarked;

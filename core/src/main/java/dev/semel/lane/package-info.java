// SPDX-License-Identifier: Apache-2.0
/**
 * Group commit and timers for Semel's own modules: {@link dev.semel.lane.Lanes} collect entries into batches, {@link
 * dev.semel.lane.Workers} run blocking calls, {@link dev.semel.lane.Halving} finds the entry that fails a batch, and
 * {@link dev.semel.lane.Pauses} and {@link dev.semel.lane.Deadlines} wait without a thread and end when their owner closes.
 */
@NullMarked
package dev.semel.lane;

import org.jspecify.annotations.NullMarked;

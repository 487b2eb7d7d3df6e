// SPDX-License-Identifier: Apache-2.0
package dev.semel.simulation;

import org.jspecify.annotations.Nullable;

/**
 * Where a request comes from.
 *
 * @param process null if an operator sent it
 * @param made when it was made, on the simulation's clock
 * @param attempt the number of the SDK's attempt
 * @param server the number of the server that answers
 */
record DynamoOrigin(@Nullable SimulatedProcess process, long made, int attempt, int server) {}

// SPDX-License-Identifier: Apache-2.0
/**
 * Items in memory, and exactly those of DynamoDB's expressions that Semel's store uses. Everything else is an {@link
 * IllegalStateException}, so that nothing is simulated in another way than DynamoDB does it.
 */
@NullMarked
package dev.semel.simulation.dynamodb;

import org.jspecify.annotations.NullMarked;

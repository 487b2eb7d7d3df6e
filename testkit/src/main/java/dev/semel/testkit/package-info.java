// SPDX-License-Identifier: Apache-2.0
/**
 * What proves a store and what tests code that uses one: {@link dev.semel.testkit.ClaimStoreContract} for whoever
 * writes a store, {@link dev.semel.testkit.FaultyStore} and {@link dev.semel.testkit.MutableClock} for everybody.
 */
@NullMarked
package dev.semel.testkit;

import org.jspecify.annotations.NullMarked;

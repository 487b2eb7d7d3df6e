// SPDX-License-Identifier: Apache-2.0
/**
 * Tests for stores, and tools for tests of code that uses a store. Authors of a store extend {@link
 * dev.semel.testkit.ClaimStoreContract}. Other tests use {@link dev.semel.testkit.FaultyStore} and {@link
 * dev.semel.testkit.MutableClock}.
 */
@NullMarked
package dev.semel.testkit;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/**
 * Support for the tests of applications that use Semel. {@link dev.semel.test.TestSemel} is an engine in memory whose clock,
 * store and crashes a test controls; {@link dev.semel.test.SemelTest} injects it into JUnit tests. Authors of a store use
 * {@code semel-testkit} instead.
 */
@NullMarked
package dev.semel.test;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/**
 * The contract tests for claim stores, a store that injects faults, and a clock for tests.
 *
 * <p>The module is open because JUnit calls the package-private tests of the contract by reflection.
 */
@SuppressWarnings("requires-automatic") // Awaitility has no module descriptor.
open module dev.semel.testkit {
    requires static transitive org.jspecify;
    requires transitive dev.semel;
    requires transitive org.junit.jupiter.api;
    requires awaitility;
    requires org.assertj.core;

    exports dev.semel.testkit;
}

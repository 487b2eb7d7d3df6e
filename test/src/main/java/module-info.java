// SPDX-License-Identifier: Apache-2.0
/** Support for the tests of applications that use Semel. */
module dev.semel.test {
    requires static transitive org.jspecify;
    requires transitive dev.semel;
    requires transitive dev.semel.testkit;
    requires transitive org.assertj.core;
    requires transitive org.junit.jupiter.api;

    exports dev.semel.test;
}

// SPDX-License-Identifier: Apache-2.0
/** The tests that the codecs for Jackson 2 and for Jackson 3 both pass. */
module dev.semel.jackson.cases {
    requires static transitive org.jspecify;
    requires transitive dev.semel;
    requires transitive org.junit.jupiter.api;
    requires dev.semel.jdbc;
    requires org.assertj.core;

    // Jackson reads the private members of the records.
    opens dev.semel.jackson.cases;

    exports dev.semel.jackson.cases;
}

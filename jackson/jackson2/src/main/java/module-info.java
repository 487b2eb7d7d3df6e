// SPDX-License-Identifier: Apache-2.0
/** Results and rejection details as JSON, with Jackson 2. */
@SuppressWarnings("module") // The digit is the version of Jackson, and part of the artifact's name.
module dev.semel.jackson2 {
    requires static transitive org.jspecify;
    requires transitive dev.semel;
    requires transitive com.fasterxml.jackson.core;
    requires transitive com.fasterxml.jackson.databind;
    requires com.fasterxml.jackson.datatype.jdk8;
    requires com.fasterxml.jackson.datatype.jsr310;
    requires org.slf4j;

    exports dev.semel.jackson2;
}

// SPDX-License-Identifier: Apache-2.0
/** Results and rejection details as JSON, with Jackson 3. */
@SuppressWarnings("module") // The digit is the version of Jackson, and part of the artifact's name.
module dev.semel.jackson3 {
    requires static transitive org.jspecify;
    requires transitive dev.semel;
    requires transitive tools.jackson.core;
    requires transitive tools.jackson.databind;
    requires org.slf4j;

    exports dev.semel.jackson3;
}

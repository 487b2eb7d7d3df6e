// SPDX-License-Identifier: Apache-2.0
/** A gate for consumers of any queue: process a message once, then acknowledge it. */
module dev.semel.messaging {
    requires static transitive org.jspecify;
    requires transitive dev.semel;
    requires transitive dev.semel.jdbc;
    requires org.slf4j;

    exports dev.semel.messaging;
}

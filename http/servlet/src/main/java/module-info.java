// SPDX-License-Identifier: Apache-2.0
/** A servlet filter for the Idempotency-Key header. */
module dev.semel.servlet {
    requires static transitive org.jspecify;
    requires transitive dev.semel;
    requires transitive dev.semel.http;
    requires transitive jakarta.servlet;
    requires org.slf4j;

    exports dev.semel.servlet;
}

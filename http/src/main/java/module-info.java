// SPDX-License-Identifier: Apache-2.0
/** The rules of the Idempotency-Key header, independent of any HTTP framework. */
module dev.semel.http {
    requires static transitive org.jspecify;
    requires transitive dev.semel;
    requires transitive dev.semel.payload;
    requires org.slf4j;

    exports dev.semel.http;
}

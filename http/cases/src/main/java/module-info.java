// SPDX-License-Identifier: Apache-2.0
/** Test cases in JSON for everything that handles the Idempotency-Key header, and the classes that run them. */
@SuppressWarnings("requires-automatic") // Awaitility has no module descriptor.
module dev.semel.http.cases {
    requires static transitive org.jspecify;
    requires transitive dev.semel.http;
    requires transitive dev.semel.payload;
    requires transitive org.junit.jupiter.api;
    requires awaitility;
    requires jdk.httpserver;
    requires org.assertj.core;

    exports dev.semel.http.cases;
}

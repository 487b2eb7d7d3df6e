// SPDX-License-Identifier: Apache-2.0
/** Webhooks: providers, signatures, deduplication and sinks. */
module dev.semel.webhooks {
    requires static transitive org.jspecify;
    requires transitive dev.semel;
    requires transitive dev.semel.operations;
    requires transitive dev.semel.payload;
    requires java.net.http;
    requires org.slf4j;

    exports dev.semel.webhooks;
    exports dev.semel.webhooks.provider;
    exports dev.semel.webhooks.signature;
}

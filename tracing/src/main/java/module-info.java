// SPDX-License-Identifier: Apache-2.0
/** Spans for OpenTelemetry. */
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"}) // OpenTelemetry has no module descriptor.
module dev.semel.tracing {
    requires static transitive org.jspecify;
    requires transitive dev.semel;
    requires static transitive dev.semel.webhooks;
    requires transitive io.opentelemetry.api;
    requires io.opentelemetry.context;

    exports dev.semel.tracing;
}

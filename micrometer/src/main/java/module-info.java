// SPDX-License-Identifier: Apache-2.0
/** Metrics for Micrometer. */
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"}) // Micrometer has no module descriptor.
module dev.semel.micrometer {
    requires static transitive org.jspecify;
    requires transitive dev.semel;
    requires static transitive dev.semel.journal;
    requires static transitive dev.semel.webhooks;
    requires transitive micrometer.core;

    exports dev.semel.micrometer;
}

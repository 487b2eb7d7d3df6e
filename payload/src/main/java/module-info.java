// SPDX-License-Identifier: Apache-2.0
/** Payloads of requests and results: JSON, fingerprints, differences, redaction and encryption. */
module dev.semel.payload {
    requires static transitive org.jspecify;
    requires transitive dev.semel;

    exports dev.semel.payload;
    exports dev.semel.payload.json;
    exports dev.semel.payload.redact;
    exports dev.semel.payload.compare;
    exports dev.semel.payload.seal;
}

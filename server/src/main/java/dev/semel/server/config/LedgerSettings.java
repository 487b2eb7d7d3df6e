// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.config;

/** The settings of the ledger: the response to a known key with a different event. */
public record LedgerSettings(MismatchResponse onMismatch) {
    /** The possible responses. */
    public enum MismatchResponse {
        /** Respond with the first event and the differences. */
        ACCEPT,
        /** Respond with a conflict. */
        REJECT
    }

    static LedgerSettings read(SettingsSection section) {
        LedgerSettings ledger = new LedgerSettings(section.value("on_mismatch")
                .map(value -> value.oneOf(MismatchResponse.class))
                .orElse(MismatchResponse.ACCEPT));
        section.done();
        return ledger;
    }
}

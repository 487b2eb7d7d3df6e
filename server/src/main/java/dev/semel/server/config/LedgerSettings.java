// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.config;

/** The settings of the ledger: the response to a known key with a different event. */
public record LedgerSettings(OnMismatch onMismatch) {
    /** The possible responses. */
    public enum OnMismatch {
        /** Respond with the first event and the differences. */
        ACCEPT,
        /** Respond with a conflict. */
        REJECT
    }

    static LedgerSettings read(SettingsSection section) {
        LedgerSettings ledger = new LedgerSettings(section.value("on_mismatch")
                .map(value -> value.oneOf(OnMismatch.class))
                .orElse(OnMismatch.ACCEPT));
        section.done();
        return ledger;
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.config;

/** The ledger: what a key gets that comes back with another event. */
public record LedgerSettings(OnMismatch onMismatch) {
    /** The two answers. */
    public enum OnMismatch {
        /** The first event, and where the new one differs. */
        ACCEPT,
        /** A conflict. */
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

// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.claims;

/** What of a claim's result is stored. It follows from how the claim was made, and travels in the claim's token. */
enum ResultKind {
    /** Claimed by key: all of it, redacted. */
    KEY("k"),
    /** Claimed by inputs: what the allow-list names. */
    INPUTS("i");

    private final String mark;

    ResultKind(String mark) {
        this.mark = mark;
    }

    String mark() {
        return mark;
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.claims;

import dev.semel.payload.Keep;
import dev.semel.payload.redact.AllowList;
import dev.semel.payload.redact.Redaction;
import dev.semel.payload.redact.Sanitiser;
import java.util.List;
import java.util.Optional;

/**
 * How a claim's result is stored. The claim's token contains the letter. A letter never changes its meaning, because
 * tokens may be settled by other versions than the one that created them.
 */
enum ResultStorage {
    /** The whole result, redacted. */
    REDACTED('k', Keep.SANITISED),
    /** The members on the allow-list. */
    ALLOWED('i', Keep.SANITISED),
    /** The whole result, encrypted. */
    SEALED('s', Keep.SEALED),
    /** The result of a payment, redacted. */
    PAYMENT('p', Keep.SANITISED),
    /**
     * Only the fact that it was settled. Earlier versions do not know this letter; it is used only if a client requests
     * it.
     */
    NONE('n', Keep.NONE);

    private static final List<ResultStorage> ALL = List.of(values());

    private final char letter;
    private final Keep keep;

    ResultStorage(char letter, Keep keep) {
        this.letter = letter;
        this.keep = keep;
    }

    static Optional<ResultStorage> of(char letter) {
        for (ResultStorage one : ALL) {
            if (one.letter == letter) {
                return Optional.of(one);
            }
        }
        return Optional.empty();
    }

    char letter() {
        return letter;
    }

    Keep keep() {
        return keep;
    }

    /** Returns the sanitiser of unencrypted results. Call it for sanitised results only. */
    Sanitiser sanitiser() {
        return this == ALLOWED ? AllowList.CUSTOMER_SAFE : Redaction.DEFAULT;
    }
}

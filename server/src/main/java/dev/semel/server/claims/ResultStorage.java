// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.claims;

import dev.semel.payload.Keep;
import dev.semel.payload.redact.AllowList;
import dev.semel.payload.redact.Redaction;
import dev.semel.payload.redact.Sanitiser;
import java.util.Arrays;
import java.util.Optional;

/**
 * How a claim's result is stored. The letter of it stands in the claim's token. A letter keeps its meaning for ever, because
 * tokens are settled by other versions than gave them out.
 */
enum ResultStorage {
    /** All of it, redacted. */
    REDACTED("k", Keep.SANITISED),
    /** What the allow-list names. */
    ALLOWED("i", Keep.SANITISED),
    /** All of it as it was, encrypted. */
    SEALED("s", Keep.SEALED),
    /** A payment's: all of it, redacted. */
    PAYMENT("p", Keep.SANITISED),
    /** Only that it was done. Earlier versions do not know this letter; only a client that asks for it gets it. */
    NONE("n", Keep.NONE);

    private final String letter;
    private final Keep keep;

    ResultStorage(String letter, Keep keep) {
        this.letter = letter;
        this.keep = keep;
    }

    static Optional<ResultStorage> of(String letter) {
        return Arrays.stream(values()).filter(one -> one.letter.equals(letter)).findFirst();
    }

    String letter() {
        return letter;
    }

    Keep keep() {
        return keep;
    }

    /** What decides what may be stored in the clear; asked for sanitised results only. */
    Sanitiser sanitiser() {
        return this == ALLOWED ? AllowList.CUSTOMER_SAFE : Redaction.DEFAULT;
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.internal;

import java.time.Instant;

/**
 * This machine's clock, for timestamps that a sender has signed. Only {@code Expiry} (a header for clients) and {@code
 * OrderedIds} (the order of ids) read it too; they decide nothing. Elsewhere the database's clock decides.
 */
public final class SendersClock {
    private SendersClock() {}

    public static Instant now() {
        return Instant.now();
    }
}

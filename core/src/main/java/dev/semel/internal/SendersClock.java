// SPDX-License-Identifier: Apache-2.0
package dev.semel.internal;

import java.time.Instant;

/**
 * This machine's clock, for timestamps that a sender has signed. Nothing else may read this machine's clock: elsewhere the
 * database's clock decides.
 */
public final class SendersClock {
    private SendersClock() {}

    public static Instant now() {
        return Instant.now();
    }
}

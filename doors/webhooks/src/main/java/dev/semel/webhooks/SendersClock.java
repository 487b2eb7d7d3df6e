// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks;

import java.time.Instant;

/** The one place that looks at this machine's clock: a timestamp that a sender has signed has nothing else to face. */
final class SendersClock {
    private SendersClock() {}

    static Instant now() {
        return Instant.now();
    }
}

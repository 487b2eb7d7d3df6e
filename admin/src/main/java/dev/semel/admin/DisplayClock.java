// SPDX-License-Identifier: Apache-2.0
package dev.semel.admin;

import java.time.Instant;

/** This machine's clock, for times that people are shown. It decides nothing. */
final class DisplayClock {
    private DisplayClock() {}

    static Instant now() {
        return Instant.now();
    }
}

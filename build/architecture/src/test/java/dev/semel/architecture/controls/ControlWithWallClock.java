// SPDX-License-Identifier: Apache-2.0
package dev.semel.architecture.controls;

import java.time.Instant;

/** Breaks a rule on purpose. */
public class ControlWithWallClock {
    Instant now() {
        return Instant.now();
    }
}

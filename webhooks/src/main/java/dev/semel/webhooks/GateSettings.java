// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks;

import dev.semel.claim.Terms;
import java.time.Duration;

/**
 * For how long, and how patiently.
 *
 * @param event on what terms events are claimed
 * @param payment on what terms payments are claimed
 * @param patience how long a duplicate waits for the first, from when it came in
 * @param maxExcerptBytes how large the excerpts of one delivery may be together
 */
record GateSettings(
        Terms event, Terms payment, Duration patience, InFlight inFlight, int maxBytes, long maxExcerptBytes) {}

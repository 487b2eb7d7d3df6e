// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks;

import dev.semel.claim.Terms;
import java.time.Duration;

/**
 * The settings of one gate.
 *
 * @param event the terms of claims on events
 * @param payment the terms of claims on payments
 * @param maxWait how long a duplicate waits for the first delivery, from its arrival
 * @param maxExcerptBytes the maximum total size of the excerpts of one delivery
 */
record GateSettings(
        Terms event, Terms payment, Duration maxWait, InFlight inFlight, int maxBytes, long maxExcerptBytes) {}

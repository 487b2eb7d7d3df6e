// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.trigger;

import dev.semel.server.config.SecretText;
import dev.semel.webhooks.provider.DeliverySigner;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What is to be sent.
 *
 * @param type the provider's type
 * @param options the provider's settings
 * @param targets deliveries go to them in turn
 * @param copies how often each event is delivered
 * @param concurrency how many deliveries are in progress at a time
 * @param timeout for one delivery, with its answer
 * @param run a random text, so that no other run has the same events
 */
public record TriggerPlan(
        String type,
        Map<String, List<SecretText>> options,
        DeliverySigner signer,
        List<TriggerTarget> targets,
        int events,
        int copies,
        int concurrency,
        Duration timeout,
        String run) {
    public static final int MAX_EVENTS = 100_000;
    public static final int MAX_DUPLICATES = 10_000;
    public static final int MAX_CONCURRENCY = 256;
    public static final int MAX_DELIVERIES = 1_000_000;

    public TriggerPlan {
        Objects.requireNonNull(type, "A type must not be null");
        options = Map.copyOf(options);
        Objects.requireNonNull(signer, "A signer must not be null");
        targets = List.copyOf(targets);
        Objects.requireNonNull(timeout, "A timeout must not be null");
        Objects.requireNonNull(run, "A run must not be null");
        if (targets.isEmpty() || events < 1 || copies < 1 || concurrency < 1) {
            throw new IllegalArgumentException("There must be a target, an event, a delivery and a thread");
        }
        if ((long) events * copies > MAX_DELIVERIES) {
            throw new IllegalArgumentException("There must be at most " + MAX_DELIVERIES + " deliveries");
        }
    }

    int deliveries() {
        return events * copies;
    }
}

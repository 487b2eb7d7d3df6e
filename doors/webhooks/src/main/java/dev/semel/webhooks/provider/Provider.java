// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import dev.semel.content.json.Json;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What is particular to one sender of webhooks. Holds no state of a delivery; safe for use by many threads.
 *
 * <p>{@link #split}, {@link #keys} and {@link #payment} throw {@link BadDeliveryException} for what they cannot read.
 */
public interface Provider {
    /** How its deliveries are verified. */
    Signature signature();

    /** Whether there is anything to verify deliveries with. */
    default boolean verifies() {
        return signature() != Signature.NONE;
    }

    /** Whether it signs all that it sends. If not, only an address that nobody can guess keeps others out. */
    default boolean signsAll() {
        return true;
    }

    /** The events of a delivery, in their order; by default the whole document is one. */
    default List<Fragment> split(WebhookRequest request) {
        return List.of(new Fragment(Documents.of(request), request.body()));
    }

    /** By what an event is recognised when it comes again. */
    EventKeys keys(WebhookRequest request, Json event);

    /** The payment that an event confirms or asks for, if it does: refunds, disputes and other later events do not. */
    default Optional<Payment> payment(WebhookRequest request, Json event) {
        return Optional.empty();
    }

    /** The answer to a question before any event. Asked of requests other than POST, and of those once verified. */
    default Optional<Handshake> handshake(WebhookRequest request) {
        return Optional.empty();
    }

    /** For how long it may send an event again: the shortest time for which keys should be kept. */
    Duration ttl();

    /** How long it waits for an answer. A 2xx acknowledges; after anything else it sends the event again. */
    default Duration answerWithin() {
        return Duration.ofSeconds(10);
    }
}

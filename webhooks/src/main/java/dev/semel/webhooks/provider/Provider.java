// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import dev.semel.payload.json.Json;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

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

    /** The headers that carry its signature, names in lower case; none if it stands in the body, or there is none. */
    default Set<String> signatureHeaders() {
        return Set.of();
    }

    /**
     * Whether a header carries a signature: one of the {@link #signatureHeaders}, or one whose name says so. Such a header is
     * needed to verify a delivery, and afterwards only by those who want to send it again.
     */
    default boolean isSignature(String header) {
        return signatureHeaders().contains(header.toLowerCase(Locale.ROOT)) || isCalledSignature(header);
    }

    /** Whether a header's name says that it carries a signature, whichever provider sent it. */
    static boolean isCalledSignature(String header) {
        String name = header.toLowerCase(Locale.ROOT);
        return name.contains("signature") || name.contains("hmac") || name.endsWith("-sig");
    }

    /** How many events a delivery may have. */
    int MAX_EVENTS = 5_000;

    /**
     * The events of a delivery, in their order; by default the whole JSON document is one. Copies nothing of the delivery.
     * Where there are more than {@link #MAX_EVENTS}, it may stop after one more than that: the gate refuses the delivery.
     */
    default List<Fragment> split(WebhookRequest request) {
        return List.of(Fragment.whole(DeliveryJson.json(request), request.body()));
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

// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import dev.semel.payload.json.Json;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Reads and verifies the deliveries of one sender of webhooks. Has no state of a delivery; safe for use by concurrent threads.
 *
 * <p>{@link #split}, {@link #keys} and {@link #payment} throw {@link BadDeliveryException} if the delivery cannot be read.
 */
public interface Provider {
    /** Verifies its deliveries. */
    Signature signature();

    /** Whether deliveries can be verified: a secret or key is configured. */
    default boolean verifies() {
        return signature() != Signature.NONE;
    }

    /** Whether the sender signs all deliveries. If not, only a secret URL protects against forged ones. */
    default boolean signsAll() {
        return true;
    }

    /** The names of its signature headers, in lower case. Empty if the signature is in the body, or there is none. */
    default Set<String> signatureHeaders() {
        return Set.of();
    }

    /**
     * Whether a header carries a signature: one of the {@link #signatureHeaders}, or one whose name looks like it. After
     * verification such a header would only help to send the delivery again.
     */
    default boolean isSignature(String header) {
        return signatureHeaders().contains(header.toLowerCase(Locale.ROOT)) || isCalledSignature(header);
    }

    /** Whether a header's name looks like a signature, for any provider. */
    static boolean isCalledSignature(String header) {
        String name = header.toLowerCase(Locale.ROOT);
        return name.contains("signature") || name.contains("hmac") || name.endsWith("-sig");
    }

    /** The maximum number of events in a delivery. */
    int MAX_EVENTS = 5_000;

    /**
     * The events of a delivery, in order. By default the whole JSON document is one event. Copies nothing of the delivery.
     * If there are more than {@link #MAX_EVENTS}, it may stop after one more than that, because the gate refuses the
     * delivery.
     */
    default List<Fragment> split(WebhookRequest request) {
        return List.of(Fragment.whole(DeliveryJson.json(request), request.body()));
    }

    /** The keys by which duplicates of an event are recognized. */
    EventKeys keys(WebhookRequest request, Json event);

    /** The payment that an event confirms or requests. Empty for refunds, disputes and other later events. */
    default Optional<Payment> payment(WebhookRequest request, Json event) {
        return Optional.empty();
    }

    /** The answer to a handshake. Called for requests other than POST, and for verified POST requests. */
    default Optional<Handshake> handshake(WebhookRequest request) {
        return Optional.empty();
    }

    /** The sender's retry period, with a margin. Keys should be kept at least this long. */
    Duration ttl();

    /** How long the sender waits for an answer. It retries unless the answer is 2xx. */
    default Duration answerWithin() {
        return Duration.ofSeconds(10);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.inbox;

import dev.semel.internal.BoundedText;
import dev.semel.journal.rows.GroupRow;
import dev.semel.key.ColonJoined;
import dev.semel.payload.Body;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A webhook event that is to be written to the inbox once.
 *
 * @param eventType the provider's name for this kind of event; null if it has none. It is not encrypted
 * @param body the received body and its media type; encrypted at rest
 * @param headers the headers that consumers need; encrypted at rest
 * @param verified whether the signature was verified
 * @param payment the payment that the event confirms or requests; null if there is none
 */
public record InboxEntry(
        String tenant,
        String provider,
        InboxKeys keys,
        @Nullable String eventType,
        Body body,
        Map<String, String> headers,
        boolean verified,
        @Nullable InboxPayment payment) {
    /** The maximum number of characters of a provider's name. */
    public static final int MAX_PROVIDER = 100;

    /** The maximum number of bytes of a body. */
    public static final int MAX_BODY = GroupRow.MAX_BYTES;

    /** The maximum number of characters of a tenant, an actor, an event type and a media type. */
    static final int MAX_NAME = 255;

    private static final int MAX_HEADERS = 64 * 1024;

    public InboxEntry {
        BoundedText.check("tenant", tenant, MAX_NAME);
        BoundedText.check("provider", provider, MAX_PROVIDER);
        Objects.requireNonNull(keys, "keys must not be null");
        if (eventType != null) {
            BoundedText.check("event_type", eventType, MAX_NAME);
        }
        BoundedText.check("content_type", body.mediaType(), MAX_NAME);
        headers = Map.copyOf(headers);
        if (body.size() > MAX_BODY) {
            throw new IllegalArgumentException(
                    "A webhook's body must have at most %d bytes, but has %d".formatted(MAX_BODY, body.size()));
        }
        if (sizeOf(headers) > MAX_HEADERS) {
            throw new IllegalArgumentException(
                    "A webhook's headers must have at most %d characters in total: store fewer headers"
                            .formatted(MAX_HEADERS));
        }
        // Fails now if a key is invalid.
        keys.of(tenant, scope(provider));
    }

    private static int sizeOf(Map<String, String> headers) {
        return headers.entrySet().stream()
                .mapToInt(header -> header.getKey().length() + header.getValue().length())
                .sum();
    }

    String scope() {
        return scope(provider);
    }

    static String scope(String provider) {
        return ColonJoined.of("webhook", provider);
    }

    /** Contains neither the body nor the headers. */
    @Override
    public String toString() {
        return "InboxEntry[" + provider + ", " + keys.prefix() + "]";
    }
}

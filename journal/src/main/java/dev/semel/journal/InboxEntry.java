// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal;

import dev.semel.internal.BoundedText;
import dev.semel.key.Composed;
import dev.semel.payload.Body;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A webhook event that is to stand in the inbox once.
 *
 * @param eventType what the provider calls this kind of event, if it says so; kept in clear
 * @param body as it came, and what it is; sealed at rest
 * @param headers those that consumers need; sealed at rest
 * @param verified whether its signature was checked
 * @param payment the payment that it confirms or requests, if it does
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
    /** The most characters a provider's name may have. */
    public static final int MAX_PROVIDER = 100;

    /** The most bytes a body may have: many of them travel together. */
    public static final int MAX_BODY = LedgerEntry.MAX_SIZE;

    private static final int MAX_HEADERS = 64 * 1024;

    public InboxEntry {
        BoundedText.check("tenant", tenant, EventText.MAX_NAME);
        BoundedText.check("provider", provider, MAX_PROVIDER);
        Objects.requireNonNull(keys, "An event's keys must not be null");
        if (eventType != null) {
            BoundedText.check("event_type", eventType, EventText.MAX_NAME);
        }
        BoundedText.check("content_type", body.mediaType(), EventText.MAX_NAME);
        headers = Map.copyOf(headers);
        if (body.size() > MAX_BODY) {
            throw new IllegalArgumentException(
                    "A webhook's body must have at most %d bytes, but has %d".formatted(MAX_BODY, body.size()));
        }
        if (sizeOf(headers) > MAX_HEADERS) {
            throw new IllegalArgumentException(
                    "A webhook's headers must have at most %d characters: keep fewer of them".formatted(MAX_HEADERS));
        }
        // Whatever is wrong with its names is said now.
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
        return Composed.of("webhook", provider);
    }

    /** Leaves out what it holds. */
    @Override
    public String toString() {
        return "InboxEntry[" + provider + ", " + keys.prefix() + "]";
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks;

import dev.semel.claim.RecordId;
import dev.semel.payload.json.Json;
import dev.semel.webhooks.provider.Fragment;
import dev.semel.webhooks.provider.WebhookRequest;
import java.util.Objects;

/** An event to be processed. Nothing of its content is shown in {@code toString()}. */
public final class WebhookEvent {
    private final String provider;
    private final WebhookRequest request;
    private final Fragment fragment;
    private final boolean verified;
    private final int attempt;
    private final RecordId record;

    WebhookEvent(
            String provider,
            WebhookRequest request,
            Fragment fragment,
            boolean verified,
            int attempt,
            RecordId record) {
        this.provider = Objects.requireNonNull(provider, "A provider must not be null");
        this.request = Objects.requireNonNull(request, "A request must not be null");
        this.fragment = Objects.requireNonNull(fragment, "A fragment must not be null");
        this.verified = verified;
        this.attempt = attempt;
        this.record = Objects.requireNonNull(record, "A record must not be null");
    }

    public String tenant() {
        return request.tenant();
    }

    /** The name under which its sender is configured. */
    public String provider() {
        return provider;
    }

    /** The event alone; a form is an object of strings. */
    public Json json() {
        return fragment.json();
    }

    /** The bytes that were delivered; of a delivery with several events, as if this were its only one. */
    public byte[] payload() {
        return fragment.payload().clone();
    }

    /** The delivery that it came with, which may have held others. */
    public WebhookRequest request() {
        return request;
    }

    /** Whether the delivery's signature was checked. */
    public boolean verified() {
        return verified;
    }

    /** The number of this attempt: 1 at first, more after a failure or a crash. */
    public int attempt() {
        return attempt;
    }

    /** A key to send downstream, the same on every attempt at this event, and another for every other. */
    public String childKey(String name) {
        return record.childKey(name);
    }

    @Override
    public String toString() {
        return "WebhookEvent[" + provider + ", attempt " + attempt + "]";
    }
}

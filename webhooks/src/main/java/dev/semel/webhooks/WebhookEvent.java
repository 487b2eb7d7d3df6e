// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks;

import dev.semel.claim.RecordId;
import dev.semel.payload.json.Json;
import dev.semel.webhooks.provider.Fragment;
import dev.semel.webhooks.provider.WebhookRequest;
import java.util.Objects;

/** An event to process. {@code toString()} shows nothing of its content. */
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

    /** The name under which the provider is configured. */
    public String provider() {
        return provider;
    }

    /** The event without the rest of its delivery. A form is an object of strings. */
    public Json json() {
        return fragment.json();
    }

    /** The delivered bytes. If the delivery has several events, an excerpt as if this were the only one. */
    public byte[] payload() {
        return fragment.payload().clone();
    }

    /** The delivery that contained this event, and possibly others. */
    public WebhookRequest request() {
        return request;
    }

    /** Whether the delivery's signature was verified. */
    public boolean verified() {
        return verified;
    }

    /** The number of this attempt. The first is 1; it rises after a failure or a crash. */
    public int attempt() {
        return attempt;
    }

    /** A key to send to other services. It is the same on every attempt at this event and unique to it. */
    public String childKey(String name) {
        return record.childKey(name);
    }

    @Override
    public String toString() {
        return "WebhookEvent[" + provider + ", attempt " + attempt + "]";
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import dev.semel.claim.Fingerprint;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * A delivery as received. {@code toString()} shows nothing of its content.
 *
 * <p>The body is not copied and must not be modified.
 */
public final class WebhookRequest {
    private final String method;
    private final String url;
    private final DeliveryHeaders headers;
    private final byte[] body;
    private final String tenant;
    private final Map<Object, Object> found = new ConcurrentHashMap<>();

    /**
     * @param url the full URL as the sender called it; some providers sign it
     * @param tenant the tenant that owns the webhook
     */
    public WebhookRequest(String method, String url, DeliveryHeaders headers, byte[] body, String tenant) {
        this.method = Objects.requireNonNull(method, "A method must not be null");
        this.url = Objects.requireNonNull(url, "A URL must not be null");
        this.headers = Objects.requireNonNull(headers, "Headers must not be null");
        this.body = Objects.requireNonNull(body, "A body must not be null: one without content has no bytes");
        this.tenant = Objects.requireNonNull(tenant, "A tenant must not be null");
    }

    public String method() {
        return method;
    }

    public String url() {
        return url;
    }

    public DeliveryHeaders headers() {
        return headers;
    }

    /** The raw bytes. The array is shared and must not be modified. */
    public byte[] body() {
        return body;
    }

    public String tenant() {
        return tenant;
    }

    /** Returns a value derived from this delivery, which is calculated once and cached under {@code by}. */
    <T> T cached(Object by, Class<T> type, Supplier<T> find) {
        Object known = found.get(by);
        if (known == null) {
            known = find.get();
            found.put(by, known);
        }
        return type.cast(known);
    }

    /** A digest of the body and the kind of event. */
    Fingerprint digest(String kind) {
        return cached(
                "digest " + kind, Fingerprint.class, () -> Fingerprint.of(kind.getBytes(StandardCharsets.UTF_8), body));
    }

    @Override
    public String toString() {
        return "WebhookRequest[" + body.length + " bytes]";
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import dev.semel.claim.Fingerprint;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * A delivery as it came in. Nothing of it is shown in {@code toString()}.
 *
 * <p>The body is not copied: it is what was received, and nobody writes to it.
 */
public final class WebhookRequest {
    private final String method;
    private final String url;
    private final DeliveryHeaders headers;
    private final byte[] body;
    private final String tenant;
    private final Map<Object, Object> found = new ConcurrentHashMap<>();

    /**
     * @param url the whole address that the sender called, as it knows it: some sign it
     * @param tenant whose webhook it is
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

    /** The raw bytes, shared: do not write to them. */
    public byte[] body() {
        return body;
    }

    public String tenant() {
        return tenant;
    }

    /** What was found out about this delivery by somebody, so that it is found out once. */
    <T> T once(Object by, Class<T> type, Supplier<T> find) {
        Object known = found.get(by);
        if (known == null) {
            known = find.get();
            found.put(by, known);
        }
        return type.cast(known);
    }

    /** A digest of the body and of what kind of event it is. */
    Fingerprint digest(String kind) {
        return once(
                "digest " + kind, Fingerprint.class, () -> Fingerprint.of(kind.getBytes(StandardCharsets.UTF_8), body));
    }

    @Override
    public String toString() {
        return "WebhookRequest[" + body.length + " bytes]";
    }
}

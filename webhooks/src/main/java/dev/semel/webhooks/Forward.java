// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;

/**
 * Forwards each event to a fixed URL by POST: the delivered bytes and headers, and the headers {@code Semel-Attempt},
 * {@code Semel-Key}, {@code Semel-Tenant} and {@code Semel-Verified}.
 *
 * <p>A 2xx answer means success. Any other answer, or none in time, is a failure, and the sender's next delivery is forwarded
 * again. {@code Semel-Key} is the same on every attempt at an event and unique to it: a target that must not act twice uses it
 * as an idempotency key.
 */
public final class Forward implements EventHandler {
    private static final Duration TIMEOUT = Duration.ofSeconds(8);
    private static final Duration MAX_TIMEOUT = Duration.ofMinutes(10);

    /** Hop-by-hop headers, and headers that the client sets itself. */
    private static final Set<String> NOT_FORWARDED = Set.of(
            "connection",
            "keep-alive",
            "proxy-authenticate",
            "proxy-authorization",
            "proxy-connection",
            "te",
            "trailer",
            "trailers",
            "transfer-encoding",
            "upgrade",
            "content-length",
            "expect",
            "host");

    private final URI target;
    private final Duration timeout;
    private final ForwardClient client;

    private Forward(URI target, Duration timeout, ForwardClient client) {
        this.target = target;
        this.timeout = timeout;
        this.client = client;
    }

    /** Forwards to this URL, with a timeout of 8 seconds. Nothing in a delivery can change the URL. */
    public static Forward to(URI target) {
        boolean usable = ("http".equals(target.getScheme()) || "https".equals(target.getScheme()))
                && target.getHost() != null
                && target.getRawUserInfo() == null;
        if (!usable) {
            throw new IllegalArgumentException(
                    "A forward's target must be an http or https URL with a host and without user info");
        }
        return new Forward(target, TIMEOUT, new HttpForwardClient());
    }

    /** The same with another timeout. */
    public Forward within(Duration other) {
        if (other.isNegative() || other.isZero() || other.compareTo(MAX_TIMEOUT) > 0) {
            throw new IllegalArgumentException(
                    "A forward's timeout must be positive and at most %s, but is %s".formatted(MAX_TIMEOUT, other));
        }
        return new Forward(target, other, client);
    }

    /** The same with another client. */
    public Forward by(ForwardClient other) {
        return new Forward(target, timeout, Objects.requireNonNull(other, "A client must not be null"));
    }

    /** The same with a client around this one's, for example one that traces. */
    public Forward around(UnaryOperator<ForwardClient> wrapping) {
        return by(wrapping.apply(client));
    }

    @Override
    public CompletionStage<Void> handle(WebhookEvent event) {
        return client.send(target, headers(event), event.payload(), timeout)
                .thenCompose(status -> status >= 200 && status < 300
                        ? CompletableFuture.<Void>completedFuture(null)
                        : CompletableFuture.failedFuture(new ForwardException(status)));
    }

    private static Map<String, List<String>> headers(WebhookEvent event) {
        Map<String, List<String>> delivered = event.request().headers().all();
        Set<String> dropped = new HashSet<>(NOT_FORWARDED);
        delivered.getOrDefault("connection", List.of()).forEach(value -> {
            for (String name : value.split(",", -1)) {
                dropped.add(name.strip().toLowerCase(Locale.ROOT));
            }
        });
        Map<String, List<String>> headers = new LinkedHashMap<>();
        delivered.forEach((name, values) -> {
            // A sender must not be able to set our own headers.
            if (!dropped.contains(name) && !name.startsWith("semel-")) {
                headers.put(name, values);
            }
        });
        headers.put("semel-attempt", List.of(Integer.toString(event.attempt())));
        headers.put("semel-key", List.of(event.childKey("forward")));
        headers.put("semel-tenant", List.of(percentEncoded(event.tenant())));
        headers.put("semel-verified", List.of(Boolean.toString(event.verified())));
        return headers;
    }

    /** Percent-encodes the UTF-8 form of everything but visible ASCII characters. */
    private static String percentEncoded(String tenant) {
        StringBuilder text = new StringBuilder();
        for (byte next : tenant.getBytes(StandardCharsets.UTF_8)) {
            if (next > ' ' && next < 0x7f && next != '%') {
                text.append((char) next);
            } else {
                text.append('%').append(HexFormat.of().withUpperCase().toHexDigits(next));
            }
        }
        return text.toString();
    }
}

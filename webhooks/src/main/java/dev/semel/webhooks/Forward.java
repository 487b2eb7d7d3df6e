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

/**
 * Sends each event on to a fixed address: the bytes and headers that came, {@code Semel-Attempt}, {@code Semel-Tenant}, whose
 * it is, and {@code Semel-Key}, which is the same on every attempt at one event and no other's. A 2xx is done; anything else, or none in time, failed,
 * and the sender's next delivery is forwarded again: a target that must not act twice goes by {@code Semel-Key}.
 */
public final class Forward implements WebhookHandler {
    private static final Duration TIMEOUT = Duration.ofSeconds(8);
    private static final Duration LONGEST = Duration.ofMinutes(10);

    /** Between two neighbours only, or made anew by whoever sends. */
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

    /** To this address, which nothing that is delivered can change. An answer is awaited for 8 seconds. */
    public static Forward to(URI target) {
        boolean usable = ("http".equals(target.getScheme()) || "https".equals(target.getScheme()))
                && target.getHost() != null
                && target.getRawUserInfo() == null;
        if (!usable) {
            throw new IllegalArgumentException(
                    "A forward's target must be an http or https URL with a host, and without a user");
        }
        return new Forward(target, TIMEOUT, new HttpForwardClient());
    }

    /** The same with another bound on the answer. */
    public Forward within(Duration bound) {
        if (bound.isNegative() || bound.isZero() || bound.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "A forward's time must be up to %s, but is %s".formatted(LONGEST, bound));
        }
        return new Forward(target, bound, client);
    }

    /** The same by another client. */
    public Forward by(ForwardClient other) {
        return new Forward(target, timeout, Objects.requireNonNull(other, "A client must not be null"));
    }

    @Override
    public CompletionStage<Void> handle(WebhookEvent event) {
        return client.send(target, headers(event), event.payload(), timeout)
                .thenCompose(status -> status >= 200 && status < 300
                        ? CompletableFuture.<Void>completedFuture(null)
                        : CompletableFuture.failedFuture(new ForwardException(status)));
    }

    private static Map<String, List<String>> headers(WebhookEvent event) {
        Map<String, List<String>> came = event.request().headers().all();
        Set<String> dropped = new HashSet<>(NOT_FORWARDED);
        came.getOrDefault("connection", List.of()).forEach(value -> {
            for (String name : value.split(",", -1)) {
                dropped.add(name.strip().toLowerCase(Locale.ROOT));
            }
        });
        Map<String, List<String>> headers = new LinkedHashMap<>();
        came.forEach((name, values) -> {
            // What is ours nobody else may set.
            if (!dropped.contains(name) && !name.startsWith("semel-")) {
                headers.put(name, values);
            }
        });
        headers.put("semel-attempt", List.of(Integer.toString(event.attempt())));
        headers.put("semel-key", List.of(event.childKey("forward")));
        headers.put("semel-tenant", List.of(plain(event.tenant())));
        headers.put("semel-verified", List.of(Boolean.toString(event.verified())));
        return headers;
    }

    /** As in an address: whatever is no visible character of ASCII is percent-encoded UTF-8. */
    private static String plain(String tenant) {
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

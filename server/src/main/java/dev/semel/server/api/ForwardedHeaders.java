// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.api;

import dev.semel.http.Attempt;
import dev.semel.http.HeaderLine;
import dev.semel.http.IdempotencyHeaders;
import dev.semel.http.IdempotencyKey;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpServerRequest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Which headers go on, from the client to the service and back. */
final class ForwardedHeaders {
    /** The client's own key, where another one takes the place of Idempotency-Key. */
    static final String ORIGINAL_KEY = "Semel-Original-Idempotency-Key";

    static final String ATTEMPT = "Semel-Attempt";
    static final String FENCE = "Semel-Fence";
    static final String TOKEN = "Semel-Authorization";

    /** What belongs to one connection. */
    private static final Set<String> HOP_BY_HOP = Set.of(
            "connection",
            "keep-alive",
            "proxy-authenticate",
            "proxy-authentication-info",
            "proxy-authorization",
            "proxy-connection",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade",
            "http2-settings");

    /** What this server says itself, or answers itself. */
    private static final Set<String> OWN = Set.of(
            "host",
            "content-length",
            "expect",
            ORIGINAL_KEY.toLowerCase(Locale.ROOT),
            ATTEMPT.toLowerCase(Locale.ROOT),
            FENCE.toLowerCase(Locale.ROOT),
            TOKEN.toLowerCase(Locale.ROOT));

    /** Where a request comes from. Only a trusted proxy's word is handed on. */
    private static final Set<String> ORIGIN = Set.of(
            "forwarded",
            "x-forwarded-for",
            "x-forwarded-host",
            "x-forwarded-port",
            "x-forwarded-prefix",
            "x-forwarded-proto",
            "x-forwarded-server",
            "x-forwarded-ssl",
            "x-original-url",
            "x-real-ip",
            "x-rewrite-url");

    private ForwardedHeaders() {}

    /** @param trusted whether the request came from a proxy whose word is handed on */
    static void request(HttpServerRequest request, String address, boolean trusted, MultiMap to) {
        Set<String> left = left(request.headers());
        for (Map.Entry<String, String> header : request.headers()) {
            String name = header.getKey().toLowerCase(Locale.ROOT);
            if (!left.contains(name) && !isOurs(name) && (trusted || !isOneOf(ORIGIN, name))) {
                to.add(header.getKey(), header.getValue());
            }
        }
        origin(request, address, trusted, to);
        to.add("Via", "1.1 semel");
    }

    private static boolean isOurs(String name) {
        // A key with an underscore would be a second one for a service that does not tell the two apart.
        return isOneOf(OWN, name)
                || (name.indexOf('_') >= 0 && name.replace('_', '-').equals("idempotency-key"));
    }

    /** Many services read a header with underscores as the one with hyphens. */
    private static boolean isOneOf(Set<String> names, String name) {
        return names.contains(name.indexOf('_') < 0 ? name : name.replace('_', '-'));
    }

    private static void origin(HttpServerRequest request, String address, boolean trusted, MultiMap to) {
        String host = request.headers().get("Host");
        String before = trusted ? String.join(", ", request.headers().getAll("X-Forwarded-For")) : "";
        to.set("X-Forwarded-For", before.isEmpty() ? address : before + ", " + address);
        if (!to.contains("X-Forwarded-Proto")) {
            to.set("X-Forwarded-Proto", "http");
        }
        if (!to.contains("X-Forwarded-Host") && host != null) {
            to.set("X-Forwarded-Host", host);
        }
        String quoted = address.indexOf(':') < 0 ? address : "\"[" + address + "]\"";
        to.add("Forwarded", "for=%s%s;proto=http".formatted(quoted, host == null ? "" : ";host=\"" + host + "\""));
    }

    /** In place of the client's key the service gets one that is the same for every attempt of this request. */
    static void attempt(Attempt attempt, MultiMap to) {
        to.set(IdempotencyKey.HEADER, attempt.childKey());
        to.set(ORIGINAL_KEY, attempt.key());
        to.set(ATTEMPT, Integer.toString(attempt.number()));
        to.set(FENCE, Long.toString(attempt.fence()));
    }

    /** The headers of an answer that go on to the client, without its length. */
    static List<HeaderLine> answer(MultiMap headers) {
        Set<String> left = left(headers);
        List<HeaderLine> lines = new ArrayList<>();
        for (Map.Entry<String, String> header : headers) {
            String name = header.getKey().toLowerCase(Locale.ROOT);
            if (!left.contains(name) && !name.equals("content-length")) {
                lines.add(new HeaderLine(header.getKey(), header.getValue()));
            }
        }
        return lines;
    }

    /** As {@link #answer}, without what only the door may say. */
    static List<HeaderLine> withoutOurs(List<HeaderLine> lines) {
        return lines.stream()
                .filter(line -> !IdempotencyHeaders.isOurs(line.name()))
                .toList();
    }

    /** Hop-by-hop headers, and those that Connection names. */
    private static Set<String> left(MultiMap headers) {
        List<String> named = headers.getAll("Connection");
        if (named.isEmpty()) {
            return HOP_BY_HOP;
        }
        Set<String> left = new HashSet<>(HOP_BY_HOP);
        for (String line : named) {
            for (String name : line.split(",", -1)) {
                left.add(name.strip().toLowerCase(Locale.ROOT));
            }
        }
        return left;
    }
}

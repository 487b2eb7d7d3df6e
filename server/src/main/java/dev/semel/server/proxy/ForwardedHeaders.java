// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.proxy;

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

/** Decides which headers are forwarded to the service and back to the client. */
final class ForwardedHeaders {
    /** Carries the client's key if Idempotency-Key is replaced by the child key. */
    static final String ORIGINAL_KEY = "Semel-Original-Idempotency-Key";

    static final String ATTEMPT = "Semel-Attempt";
    static final String FENCE = "Semel-Fence";
    static final String TOKEN = "Semel-Authorization";

    /** Headers that apply to one connection only. */
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

    /** Headers that this server sets or handles itself. */
    private static final Set<String> OWN = Set.of(
            "host",
            "content-length",
            "expect",
            ORIGINAL_KEY.toLowerCase(Locale.ROOT),
            ATTEMPT.toLowerCase(Locale.ROOT),
            FENCE.toLowerCase(Locale.ROOT),
            TOKEN.toLowerCase(Locale.ROOT));

    private static final String TRACE_PARENT = "traceparent";

    /** Headers that continue a trace. */
    private static final Set<String> TRACE = Set.of(TRACE_PARENT, "tracestate");

    /** Headers about the origin of a request. They are forwarded only from trusted proxies. */
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

    /** @param trusted whether the request came from a trusted proxy */
    static void request(HttpServerRequest request, String address, boolean trusted, MultiMap to) {
        Set<String> hopByHop = hopByHop(request.headers());
        // Our own span is then the parent of the service's, and its state already contains the client's.
        boolean traced = to.contains(TRACE_PARENT);
        for (Map.Entry<String, String> header : request.headers()) {
            String name = header.getKey().toLowerCase(Locale.ROOT);
            if (!hopByHop.contains(name)
                    && !isProxyHeader(name)
                    && (trusted || !isOneOf(ORIGIN, name))
                    && !(traced && isOneOf(TRACE, name))) {
                to.add(header.getKey(), header.getValue());
            }
        }
        origin(request, address, trusted, to);
        to.add("Via", "1.1 semel");
    }

    private static boolean isProxyHeader(String name) {
        // Services that treat underscores as hyphens would read a key with an underscore as a second key.
        return isOneOf(OWN, name)
                || (name.indexOf('_') >= 0 && name.replace('_', '-').equals("idempotency-key"));
    }

    /** Compares names with underscores as hyphens, as many services do. */
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

    /** Replaces the client's key with the child key, which is the same for every attempt of this request. */
    static void attempt(Attempt attempt, MultiMap to) {
        to.set(IdempotencyKey.HEADER, attempt.childKey());
        to.set(ORIGINAL_KEY, attempt.key());
        to.set(ATTEMPT, Integer.toString(attempt.number()));
        to.set(FENCE, Long.toString(attempt.fence()));
    }

    /** Returns the response headers to forward, without Content-Length. */
    static List<HeaderLine> answer(MultiMap headers) {
        Set<String> hopByHop = hopByHop(headers);
        List<HeaderLine> lines = new ArrayList<>();
        for (Map.Entry<String, String> header : headers) {
            String name = header.getKey().toLowerCase(Locale.ROOT);
            if (!hopByHop.contains(name) && !name.equals("content-length")) {
                lines.add(new HeaderLine(header.getKey(), header.getValue()));
            }
        }
        return lines;
    }

    /** Like {@link #answer}, without the headers that only the proxy may set. */
    static List<HeaderLine> withoutProxyHeaders(List<HeaderLine> lines) {
        return lines.stream()
                .filter(line -> !IdempotencyHeaders.isOurs(line.name()))
                .toList();
    }

    /** Returns the hop-by-hop headers, including those listed in Connection. */
    private static Set<String> hopByHop(MultiMap headers) {
        List<String> named = headers.getAll("Connection");
        if (named.isEmpty()) {
            return HOP_BY_HOP;
        }
        Set<String> hopByHop = new HashSet<>(HOP_BY_HOP);
        for (String line : named) {
            for (String name : line.split(",", -1)) {
                hopByHop.add(name.strip().toLowerCase(Locale.ROOT));
            }
        }
        return hopByHop;
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.http;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The headers of an answer that are stored and replayed. Headers for one connection, client or moment are never replayed.
 *
 * @param names in lower case
 */
public record ReplayedHeaders(Set<String> names) {
    private static final Set<String> USUAL = Set.of(
            "allow",
            "cache-control",
            "content-disposition",
            "content-encoding",
            "content-language",
            "content-location",
            "content-type",
            "deprecation",
            "etag",
            "expires",
            "last-modified",
            "link",
            "location",
            "sunset",
            "vary");

    private static final Set<String> NEVER = Set.of(
            "authentication-info",
            "authorization",
            "connection",
            "content-length",
            "cookie",
            "date",
            "keep-alive",
            "proxy-authenticate",
            "proxy-authentication-info",
            "proxy-authorization",
            "proxy-connection",
            "set-cookie",
            "set-cookie2",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade",
            "www-authenticate");

    /** The default headers: content type and language, location, validators, caching and links. */
    public static final ReplayedHeaders DEFAULT = new ReplayedHeaders(USUAL);

    public ReplayedHeaders {
        for (String name : names) {
            if (NEVER.contains(name.toLowerCase(Locale.ROOT)) || IdempotencyHeaders.isOurs(name)) {
                throw new IllegalArgumentException(
                        "The header %s is never replayed: it belongs to one client or one connection".formatted(name));
            }
        }
        names = names.stream().map(name -> name.toLowerCase(Locale.ROOT)).collect(Collectors.toUnmodifiableSet());
    }

    /**
     * These and additional headers.
     *
     * @throws IllegalArgumentException if a header must never be replayed
     */
    public ReplayedHeaders and(List<String> more) {
        Set<String> all = new TreeSet<>(names);
        all.addAll(more);
        return new ReplayedHeaders(all);
    }

    List<HeaderLine> of(List<HeaderLine> all) {
        return all.stream()
                .filter(line -> names.contains(line.name().toLowerCase(Locale.ROOT)))
                .toList();
    }
}

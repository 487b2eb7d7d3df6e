// SPDX-License-Identifier: Apache-2.0
package dev.semel.http;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which paths a route has: {@code /orders}, {@code /orders/{id}} and {@code /orders/*} for one part, {@code /orders/**} for
 * {@code /orders} and everything below. Paths are compared as they are sent, with their escapes.
 */
public final class RoutePattern {
    private static final String REST = "**";

    private final String text;
    private final List<String> parts;
    private final boolean open;

    private RoutePattern(String text, List<String> parts, boolean open) {
        this.text = text;
        this.parts = parts;
        this.open = open;
    }

    /**
     * Reads a pattern.
     *
     * @throws IllegalArgumentException if it is none; the message says what is wrong
     */
    public static RoutePattern of(String text) {
        if (!text.startsWith("/") || text.length() > ApiRules.MAX_TEMPLATE) {
            throw new IllegalArgumentException(
                    "must start with a slash and have at most %d characters, such as /orders/**"
                            .formatted(ApiRules.MAX_TEMPLATE));
        }
        if (!text.chars().allMatch(c -> c > ' ' && c < 0x7f && c != '?' && c != '#' && c != '\\')) {
            throw new IllegalArgumentException("must be a path of visible ASCII, without a query: escape what is not");
        }
        List<String> all = partsOf(text);
        boolean open = all.get(all.size() - 1).equals(REST);
        List<String> parts = open ? all.subList(0, all.size() - 1) : all;
        for (String part : parts) {
            boolean named = part.startsWith("{") && part.endsWith("}") && part.length() > 2;
            if (!named && (part.contains("{") || part.contains("}") || (part.contains("*") && !part.equals("*")))) {
                throw new IllegalArgumentException("may have {name} or * as a whole part, and ** at its end");
            }
        }
        return new RoutePattern(text, List.copyOf(parts), open);
    }

    /** Whether the route has this path. */
    public boolean matches(String path) {
        List<String> given = partsOf(path);
        if (open ? given.size() < parts.size() : given.size() != parts.size()) {
            return false;
        }
        for (int i = 0; i < parts.size(); i++) {
            if (!isOne(parts.get(i), given.get(i))) {
                return false;
            }
        }
        return true;
    }

    /** Whether some path that is this one, or below it, is also this route's. */
    public boolean overlaps(String path) {
        List<String> other = partsOf(path);
        for (int i = 0; i < other.size(); i++) {
            if (i == parts.size()) {
                return open;
            }
            if (!isOne(parts.get(i), other.get(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isOne(String part, String given) {
        boolean any = part.equals("*") || part.startsWith("{");
        return any ? !given.isEmpty() : part.equals(given);
    }

    /** Without the empty part before the first slash. */
    private static List<String> partsOf(String path) {
        return List.of(path.substring(1).split("/", -1));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof RoutePattern that && text.equals(that.text);
    }

    @Override
    public int hashCode() {
        return Objects.hash(text);
    }

    /** As it was written: the template in the scope of its keys. */
    @Override
    public String toString() {
        return text;
    }
}

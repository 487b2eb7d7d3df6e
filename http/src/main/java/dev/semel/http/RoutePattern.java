// SPDX-License-Identifier: Apache-2.0
package dev.semel.http;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The pattern of a route's paths, such as {@code /orders}. {@code /orders/{id}} and {@code /orders/*} match one more segment,
 * {@code /orders/**} matches {@code /orders} and everything below. Paths are compared with their escapes, except for escapes
 * of letters, digits and {@code -._~}, which are equivalent to the character itself.
 */
public final class RoutePattern {
    private static final String REST = "**";

    /** A text that cannot be a segment of a pattern. */
    private static final String ANY = "?";

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
     * @throws IllegalArgumentException if it is malformed, with the reason
     */
    public static RoutePattern of(String text) {
        if (!text.startsWith("/") || text.length() > ApiRules.MAX_TEMPLATE) {
            throw new IllegalArgumentException(
                    "must start with a slash and have at most %d characters, such as /orders/**"
                            .formatted(ApiRules.MAX_TEMPLATE));
        }
        if (!text.chars().allMatch(c -> c > ' ' && c < 0x7f && c != '?' && c != '#' && c != '\\')) {
            throw new IllegalArgumentException(
                    "must be a path of visible ASCII characters without a query: percent-encode other characters");
        }
        List<String> all = partsOf(text);
        boolean open = all.get(all.size() - 1).equals(REST);
        List<String> parts = open ? all.subList(0, all.size() - 1) : all;
        for (String part : parts) {
            boolean named = part.startsWith("{") && part.endsWith("}") && part.length() > 2;
            if (!named && (part.contains("{") || part.contains("}") || (part.contains("*") && !part.equals("*")))) {
                throw new IllegalArgumentException(
                        "may have {name} or * only as a whole segment, and ** only at its end");
            }
        }
        return new RoutePattern(text, List.copyOf(parts), open);
    }

    /** Whether the pattern matches this path. */
    public boolean matches(String path) {
        List<String> given = partsOf(plain(path));
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

    /** Whether this pattern matches all paths of the other, so that a later route with the other would get no request. */
    public boolean covers(RoutePattern other) {
        if (other.open && !open) {
            return false;
        }
        // The placeholder differs from all literal segments of this pattern.
        List<String> sample =
                other.parts.stream().map(part -> isAny(part) ? ANY : part).toList();
        String path = "/" + String.join("/", sample) + (other.open ? "/" + ANY + "/" + ANY : "");
        return matches(path) && (!other.open || matches("/" + String.join("/", sample)));
    }

    /** Whether the pattern matches the given path or any path below it. */
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
        return isAny(part) ? !given.isEmpty() : part.equals(given);
    }

    private static boolean isAny(String part) {
        return part.equals("*") || part.startsWith("{");
    }

    /** Decodes escapes of characters that need no escape. */
    private static String plain(String path) {
        if (path.indexOf('%') < 0) {
            return path;
        }
        StringBuilder plain = new StringBuilder(path.length());
        for (int i = 0; i < path.length(); i++) {
            int code = path.charAt(i) == '%' && i + 2 < path.length() ? code(path.substring(i + 1, i + 3)) : -1;
            if (code >= 0 && isUnreserved(code)) {
                plain.append((char) code);
                i += 2;
            } else {
                plain.append(path.charAt(i));
            }
        }
        return plain.toString();
    }

    private static int code(String hex) {
        int high = Character.digit(hex.charAt(0), 16);
        int low = Character.digit(hex.charAt(1), 16);
        return high < 0 || low < 0 ? -1 : 16 * high + low;
    }

    private static boolean isUnreserved(int c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || "-._~".indexOf(c) >= 0;
    }

    /** Omits the empty segment before the first slash. */
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

    /** The pattern as it was written, which is the template in the scope of its keys. */
    @Override
    public String toString() {
        return text;
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.http;

import java.util.List;

/**
 * Which paths a route is for: {@code /orders} is one path, {@code /orders/{id}} or {@code /orders/*} all with one segment
 * more, {@code /orders/**} that path and all below it. Paths are compared as they were sent, without decoding.
 */
public final class PathPattern {
    private static final String ANY_ONE = "*";
    private static final String ANY_REST = "**";

    private final String text;
    private final List<String> segments;
    private final boolean open;

    private PathPattern(String text, List<String> segments, boolean open) {
        this.text = text;
        this.segments = segments;
        this.open = open;
    }

    /**
     * Reads a pattern.
     *
     * @throws IllegalArgumentException if it is none; the message says where
     */
    public static PathPattern of(String text) {
        if (!text.startsWith("/") || text.length() > ApiRules.MAX_TEMPLATE) {
            throw new IllegalArgumentException(
                    "A path must start with a slash and have at most %d characters, but is %s"
                            .formatted(ApiRules.MAX_TEMPLATE, text));
        }
        List<String> all = segments(text);
        boolean open = all.get(all.size() - 1).equals(ANY_REST);
        List<String> fixed = open ? all.subList(0, all.size() - 1) : all;
        for (String segment : fixed) {
            boolean plain = segment.chars().noneMatch(c -> "{}*?#".indexOf(c) >= 0);
            if (!plain && !isAny(segment)) {
                throw new IllegalArgumentException(
                        "The segment %s of the path %s must be plain, {name} or *; ** may stand at the end only"
                                .formatted(segment, text));
            }
        }
        return new PathPattern(
                text,
                fixed.stream()
                        .map(segment -> isAny(segment) ? ANY_ONE : segment)
                        .toList(),
                open);
    }

    /**
     * Whether the route is for this path.
     *
     * @param path as it was sent, without the query
     */
    public boolean matches(String path) {
        if (!path.startsWith("/")) {
            return false;
        }
        List<String> sent = segments(path);
        if (open ? sent.size() < segments.size() : sent.size() != segments.size()) {
            return false;
        }
        for (int i = 0; i < segments.size(); i++) {
            String wanted = segments.get(i);
            if (wanted.equals(ANY_ONE) ? sent.get(i).isEmpty() : !wanted.equals(sent.get(i))) {
                return false;
            }
        }
        return true;
    }

    private static List<String> segments(String path) {
        return List.of(path.substring(1).split("/", -1));
    }

    private static boolean isAny(String segment) {
        return segment.equals(ANY_ONE) || segment.matches("\\{[A-Za-z0-9_-]+}");
    }

    /** As it was given. */
    @Override
    public String toString() {
        return text;
    }
}

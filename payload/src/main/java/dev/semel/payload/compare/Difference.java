// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload.compare;

import dev.semel.payload.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The JSON pointers at which two documents differ, without values.
 *
 * @param changes the places, ordered by pointer
 * @param complete whether the list has all places
 */
public record Difference(List<Change> changes, boolean complete) {
    /** The documents differ, but the places are unknown: no sketch exists, or its secret is not active any more. */
    public static final Difference UNEXPLAINED = new Difference(List.of(), false);

    /** The maximum length of a header's value. Some servers and proxies reject more than 8 KiB of headers. */
    private static final int MAX_HEADER = 1_024;

    public Difference {
        changes = List.copyOf(changes);
    }

    /** Compares two documents and lists up to {@link SketchLimits#maxChanges()} changes. */
    public static Difference between(Json before, Json now, SketchLimits limits) {
        return new Comparison(limits.maxChanges()).of(before, now);
    }

    /** The pointers as a header's value: {@code /payload/amount, /note}. Characters that are not allowed there are encoded. */
    public String headerValue() {
        StringBuilder header = new StringBuilder();
        for (Change change : changes) {
            String encoded = encoded(change.pointer());
            if (header.length() + encoded.length() + 2 > MAX_HEADER) {
                break;
            }
            header.append(header.isEmpty() ? "" : ", ").append(encoded);
        }
        return header.toString();
    }

    /** A leaf that is not in the sketch was added only if the sketch is complete. */
    static Difference between(Map<String, Long> before, Map<String, Long> now, boolean allRemembered, int maxChanges) {
        TreeMap<String, Change.Kind> found = new TreeMap<>();
        before.forEach((pointer, hash) -> {
            Long other = now.get(pointer);
            if (other == null) {
                found.put(pointer, Change.Kind.REMOVED);
            } else if (!other.equals(hash)) {
                found.put(pointer, Change.Kind.CHANGED);
            }
        });
        if (allRemembered) {
            now.keySet().stream()
                    .filter(pointer -> !before.containsKey(pointer))
                    .forEach(pointer -> found.put(pointer, Change.Kind.ADDED));
        }
        List<Change> changes = found.entrySet().stream()
                .limit(maxChanges)
                .map(entry -> new Change(entry.getValue(), entry.getKey()))
                .toList();
        return new Difference(changes, allRemembered && found.size() <= maxChanges);
    }

    /** Encodes as in a URI fragment (RFC 6901, section 6), so that a pointer cannot end the header or look like two. */
    private static String encoded(String pointer) {
        StringBuilder text = new StringBuilder();
        for (byte b : pointer.getBytes(StandardCharsets.UTF_8)) {
            boolean plain = b > ' ' && b < 0x7f && b != ',' && b != '%' && b != '"' && b != ';';
            text.append(plain ? Character.toString(b) : "%%%02X".formatted(b & 0xff));
        }
        return text.toString();
    }

    @Override
    public String toString() {
        return changes.stream()
                .map(change -> change.kind() + " " + change.pointer())
                .collect(Collectors.joining(", ", "Difference[", complete ? "]" : ", and maybe more]"));
    }
}

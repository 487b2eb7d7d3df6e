// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload.compare;

import dev.semel.payload.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Where two documents differ, by JSON pointer and without any value.
 *
 * @param changes the places, in the order of their pointers
 * @param complete whether these are all of them
 */
public record Difference(List<Change> changes, boolean complete) {
    /** They differ, and it is not known where: nothing was remembered, or its secret is not alive any more. */
    public static final Difference UNEXPLAINED = new Difference(List.of(), false);

    /** The most characters of a header's value: servers and proxies begin to refuse whole requests at 8 KiB. */
    private static final int MAX_HEADER = 1_024;

    public Difference {
        changes = List.copyOf(changes);
    }

    /** From one document at hand to another, as far as {@link SketchLimits#maxChanges()} allows. */
    public static Difference between(Json before, Json now, SketchLimits limits) {
        return new Comparison(limits.maxChanges()).of(before, now);
    }

    /** The places alone, as a header lists them: {@code /payload/amount, /note}. What a header cannot hold is encoded. */
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

    /** A leaf that is not remembered has not necessarily been added, unless all are. */
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

    /** As in the fragment of a URI (RFC 6901, section 6), so that no pointer can end the header or look like two. */
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

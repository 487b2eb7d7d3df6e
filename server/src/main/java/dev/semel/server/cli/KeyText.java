// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.cli;

import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonArray;
import dev.semel.payload.json.JsonBoolean;
import dev.semel.payload.json.JsonNull;
import dev.semel.payload.json.JsonNumber;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Answers of the admin API as text for people. */
final class KeyText {
    /** Members of an entry that are printed first, or that its claim has too. */
    private static final Set<String> KNOWN = Set.of("at", "created_at", "kind", "key_id", "scope");

    private static final String ROW = "%-64s  %-19s  %-20s  %7s  %s%n";

    private KeyText() {}

    /** A page as a table. */
    static String page(JsonObject page) {
        StringBuilder table = new StringBuilder(ROW.formatted("ID", "STATUS", "CREATED", "ATTEMPT", "SCOPE"));
        for (Json row : ((JsonArray) page.member("keys").orElseThrow()).elements()) {
            JsonObject claim = (JsonObject) row;
            table.append(ROW.formatted(
                    text(claim, "id"),
                    text(claim, "status") + (isLapsed(claim) ? ", lapsed" : ""),
                    // Whole seconds fit into the column.
                    text(claim, "created_at").replaceFirst("\\.\\d+", ""),
                    text(claim, "attempt"),
                    text(claim, "scope")));
        }
        if (page.member("records").orElse(JsonNull.NULL) instanceof JsonArray records) {
            for (Json row : records.elements()) {
                JsonObject found = (JsonObject) row;
                table.append("%s %s: GET %s%n"
                        .formatted(text(found, "kind").replace('_', ' '), text(found, "id"), text(found, "path")));
            }
        }
        if (page.member("more").equals(Optional.of(new JsonBoolean(true)))) {
            table.append(
                    page.member("next").equals(Optional.of(JsonNull.NULL))
                            ? "%nThere are more: give more digits%n".formatted()
                            : "%nThere may be more: --after %s%n".formatted(text(page, "next")));
        }
        return table.toString();
    }

    /** All members of a claim, one on a line, and its history. */
    static String claim(JsonObject claim) {
        StringBuilder lines = new StringBuilder();
        for (Map.Entry<String, Json> member : claim.members().entrySet()) {
            if (member.getValue() instanceof JsonNull) {
                continue;
            }
            if (member.getValue() instanceof JsonArray entries) {
                if (!entries.elements().isEmpty()) {
                    lines.append("%s:%n".formatted(member.getKey()));
                    entries.elements().forEach(entry -> lines.append("  %s%n".formatted(entry((JsonObject) entry))));
                }
            } else {
                lines.append("%-14s %s%n".formatted(member.getKey(), plain(member.getValue())));
            }
        }
        if (waitsForADecision(claim)) {
            lines.append("%nTo decide it: semel keys release|fail|succeed %s --fence %s --reason TEXT%n"
                    .formatted(text(claim, "id"), text(claim, "fence")));
        }
        return lines.toString();
    }

    /** Callers receive "unknown" from the end of the lease on; the status changes only with a cleanup after the TTL. */
    private static boolean waitsForADecision(JsonObject claim) {
        return text(claim, "status").equals("unknown")
                || (isLapsed(claim) && text(claim, "on_stale").equals("park"));
    }

    private static boolean isLapsed(JsonObject claim) {
        return text(claim, "lapsed").equals("true");
    }

    /** An entry of the history, or a record. What the claim itself shows is left out. */
    private static String entry(JsonObject entry) {
        List<String> words = new ArrayList<>();
        entry.members().forEach((name, value) -> {
            boolean known = KNOWN.contains(name) || value instanceof JsonNull;
            if (!known && !plain(value).equals("0")) {
                words.add(name + " " + plain(value));
            }
        });
        String at = text(entry, entry.members().containsKey("at") ? "at" : "created_at");
        return "%s  %s  %s".formatted(at, text(entry, "kind"), String.join(", ", words));
    }

    static String text(JsonObject object, String name) {
        return object.member(name).map(KeyText::plain).orElse("");
    }

    /** Escapes control characters: scopes and reasons come from clients, and this is printed on terminals. */
    private static String plain(Json value) {
        String text;
        if (value instanceof JsonString string) {
            text = string.value();
        } else if (value instanceof JsonNumber number) {
            text = number.text();
        } else {
            text = new String(value.utf8(), StandardCharsets.UTF_8);
        }
        StringBuilder plain = new StringBuilder();
        text.codePoints().forEach(c -> {
            if (Character.isISOControl(c) || Character.getType(c) == Character.FORMAT) {
                plain.append("\\u%04x".formatted(c));
            } else {
                plain.appendCodePoint(c);
            }
        });
        return plain.toString();
    }
}

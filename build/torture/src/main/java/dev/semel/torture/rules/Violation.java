// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.rules;

import dev.semel.torture.history.Entry;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A rule that a history breaks.
 *
 * @param proof the events that prove it
 */
public record Violation(String rule, String item, String what, List<Entry> proof) {
    private static final int MOST = 60;

    public Violation {
        proof = List.copyOf(proof);
    }

    @Override
    public String toString() {
        String lines = proof.stream().limit(MOST).map(entry -> "\n    " + entry).collect(Collectors.joining());
        String rest = proof.size() > MOST ? "\n    (%d more)".formatted(proof.size() - MOST) : "";
        return "%s: %s (%s)%s%s".formatted(rule, what, item.isEmpty() ? "no item" : item, lines, rest);
    }
}

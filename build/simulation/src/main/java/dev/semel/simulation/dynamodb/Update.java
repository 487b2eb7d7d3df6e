// SPDX-License-Identifier: Apache-2.0
package dev.semel.simulation.dynamodb;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Changes of an item: SET with sums and {@code if_not_exists}, REMOVE, and ADD for sets of bytes. */
final class Update {
    private static final Map<String, Update> PARSED = new ConcurrentHashMap<>();

    private final List<Change> changes;
    private final Set<String> placeholders;

    private Update(List<Change> changes, Set<String> placeholders) {
        this.changes = changes;
        this.placeholders = placeholders;
    }

    static Update of(String expression) {
        return PARSED.computeIfAbsent(expression, Update::parsed);
    }

    private static Update parsed(String expression) {
        Tokens tokens = new Tokens(expression);
        List<Change> changes = new ArrayList<>();
        while (!tokens.isAtEnd()) {
            String clause = tokens.next();
            do {
                changes.add(
                        switch (clause) {
                            case "SET" -> set(tokens);
                            case "REMOVE" -> remove(tokens.next());
                            case "ADD" -> add(tokens.next(), tokens.next());
                            default -> throw tokens.unknown("the clause " + clause);
                        });
            } while (tokens.skip(","));
        }
        return new Update(changes, tokens.placeholders());
    }

    /** The item afterwards. All clauses see the item before. */
    Map<String, AttributeValue> appliedTo(Map<String, AttributeValue> before, Names names) {
        Map<String, AttributeValue> after = new HashMap<>(before);
        changes.forEach(change -> change.apply(before, after, names));
        return after;
    }

    Set<String> placeholders() {
        return placeholders;
    }

    private interface Change {
        void apply(Map<String, AttributeValue> before, Map<String, AttributeValue> after, Names names);
    }

    private interface Operand {
        AttributeValue of(Map<String, AttributeValue> before, Names names);
    }

    private static Change set(Tokens tokens) {
        String attribute = tokens.next();
        tokens.require("=");
        Operand first = operand(tokens);
        Operand value = tokens.skip("+") ? sum(first, operand(tokens)) : first;
        return (before, after, names) -> after.put(names.name(attribute), value.of(before, names));
    }

    private static Operand operand(Tokens tokens) {
        String word = tokens.next();
        if (!word.equals("if_not_exists")) {
            return (before, names) -> existing(names.value(word, before), word);
        }
        tokens.require("(");
        String attribute = tokens.next();
        tokens.require(",");
        String otherwise = tokens.next();
        tokens.require(")");
        return (before, names) -> {
            AttributeValue value = names.value(attribute, before);
            return value == null ? existing(names.value(otherwise, before), otherwise) : value;
        };
    }

    private static Operand sum(Operand one, Operand other) {
        return (before, names) -> AttributeValue.builder()
                .n(Long.toString(Math.addExact(
                        Condition.number(one.of(before, names), "a summand"),
                        Condition.number(other.of(before, names), "a summand"))))
                .build();
    }

    private static Change remove(String attribute) {
        return (before, after, names) -> after.remove(names.name(attribute));
    }

    private static Change add(String attribute, String value) {
        return (before, after, names) -> {
            AttributeValue old = names.value(attribute, before);
            AttributeValue more = existing(names.value(value, before), value);
            if (!more.hasBs() || (old != null && !old.hasBs())) {
                throw new IllegalStateException("The simulated DynamoDB adds to sets of bytes only");
            }
            Set<SdkBytes> all = new LinkedHashSet<>(old == null ? List.of() : old.bs());
            all.addAll(more.bs());
            after.put(names.name(attribute), AttributeValue.builder().bs(all).build());
        };
    }

    private static AttributeValue existing(@Nullable AttributeValue value, String name) {
        if (value == null) {
            throw new IllegalStateException(name + " is used as a value but does not exist");
        }
        return value;
    }
}

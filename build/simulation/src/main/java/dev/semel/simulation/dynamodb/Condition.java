// SPDX-License-Identifier: Apache-2.0
package dev.semel.simulation.dynamodb;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** A condition: comparisons, {@code IN}, {@code attribute_exists} and {@code attribute_not_exists}, with AND, OR and parentheses. */
final class Condition {
    private static final Map<String, Condition> PARSED = new ConcurrentHashMap<>();

    private final Test test;
    private final Set<String> placeholders;

    private Condition(Test test, Set<String> placeholders) {
        this.test = test;
        this.placeholders = placeholders;
    }

    static Condition of(String expression) {
        return PARSED.computeIfAbsent(expression, Condition::parsed);
    }

    private static Condition parsed(String expression) {
        Tokens tokens = new Tokens(expression);
        Test test = any(tokens);
        if (!tokens.isAtEnd()) {
            throw tokens.unknown("what follows");
        }
        return new Condition(test, tokens.placeholders());
    }

    boolean holdsIn(Map<String, AttributeValue> item, Names names) {
        return test.holds(item, names);
    }

    Set<String> placeholders() {
        return placeholders;
    }

    private interface Test {
        boolean holds(Map<String, AttributeValue> item, Names names);
    }

    private static Test any(Tokens tokens) {
        Test first = all(tokens);
        if (!tokens.skip("OR")) {
            return first;
        }
        Test others = any(tokens);
        return (item, names) -> first.holds(item, names) || others.holds(item, names);
    }

    private static Test all(Tokens tokens) {
        Test first = one(tokens);
        if (!tokens.skip("AND")) {
            return first;
        }
        Test others = all(tokens);
        return (item, names) -> first.holds(item, names) && others.holds(item, names);
    }

    private static Test one(Tokens tokens) {
        if (tokens.skip("(")) {
            Test inner = any(tokens);
            tokens.require(")");
            return inner;
        }
        String word = tokens.next();
        if (word.equals("attribute_exists") || word.equals("attribute_not_exists")) {
            tokens.require("(");
            String attribute = tokens.next();
            tokens.require(")");
            boolean wanted = word.equals("attribute_exists");
            return (item, names) -> item.containsKey(names.name(attribute)) == wanted;
        }
        if (tokens.skip("IN")) {
            return in(word, list(tokens));
        }
        return comparison(word, tokens.next(), tokens.next(), tokens);
    }

    private static List<String> list(Tokens tokens) {
        List<String> words = new ArrayList<>();
        tokens.require("(");
        do {
            words.add(tokens.next());
        } while (tokens.skip(","));
        tokens.require(")");
        return words;
    }

    private static Test in(String attribute, List<String> choices) {
        return (item, names) -> {
            AttributeValue value = names.value(attribute, item);
            return value != null && choices.stream().anyMatch(choice -> value.equals(names.value(choice, item)));
        };
    }

    private static Test comparison(String left, String operator, String right, Tokens tokens) {
        return switch (operator) {
            case "=" ->
                (item, names) -> {
                    AttributeValue value = names.value(left, item);
                    return value != null && value.equals(names.value(right, item));
                };
            case "<>" ->
                (item, names) -> !present(names.value(left, item), left).equals(names.value(right, item));
            case "<" -> (item, names) -> compared(left, right, item, names) < 0;
            case "<=" -> (item, names) -> compared(left, right, item, names) <= 0;
            case ">=" -> (item, names) -> compared(left, right, item, names) >= 0;
            default -> throw tokens.unknown("the operator " + operator);
        };
    }

    /** Only numbers that exist are compared: what DynamoDB does otherwise is not simulated. */
    private static int compared(String left, String right, Map<String, AttributeValue> item, Names names) {
        return Long.compare(number(names.value(left, item), left), number(names.value(right, item), right));
    }

    static long number(@Nullable AttributeValue value, String name) {
        String number = present(value, name).n();
        if (number == null) {
            throw new IllegalStateException(name + " is not a number");
        }
        return Long.parseLong(number);
    }

    private static AttributeValue present(@Nullable AttributeValue value, String name) {
        if (value == null) {
            throw new IllegalStateException(name + " is compared but does not exist");
        }
        return value;
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.simulation.dynamodb;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The words of an expression, read from the left to the right. */
final class Tokens {
    private static final Pattern TOKEN = Pattern.compile("\\s*([#:]?\\w+|<>|<=|>=|[=<>+(),])");

    private final String expression;
    private final List<String> tokens = new ArrayList<>();
    private final Set<String> placeholders = new HashSet<>();
    private int next;

    Tokens(String expression) {
        this.expression = expression;
        Matcher token = TOKEN.matcher(expression);
        int end = 0;
        while (end < expression.stripTrailing().length()) {
            if (!token.find() || token.start() != end) {
                throw unknown("a character");
            }
            end = token.end();
            tokens.add(token.group(1));
            if (token.group(1).startsWith("#") || token.group(1).startsWith(":")) {
                placeholders.add(token.group(1));
            }
        }
    }

    boolean isAtEnd() {
        return next == tokens.size();
    }

    String next() {
        if (isAtEnd()) {
            throw unknown("its end");
        }
        return tokens.get(next++);
    }

    /** Reads this word, if it is the next one. */
    boolean skip(String word) {
        boolean there = !isAtEnd() && tokens.get(next).equals(word);
        if (there) {
            next++;
        }
        return there;
    }

    void require(String word) {
        if (!skip(word)) {
            throw unknown("something where %s is expected".formatted(word));
        }
    }

    /** The names and values that the expression mentions by a placeholder. */
    Set<String> placeholders() {
        return placeholders;
    }

    IllegalStateException unknown(String what) {
        return new IllegalStateException(
                "The simulated DynamoDB does not know %s, near word %d of \"%s\"".formatted(what, next, expression));
    }
}

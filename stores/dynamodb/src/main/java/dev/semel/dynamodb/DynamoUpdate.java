// SPDX-License-Identifier: Apache-2.0
package dev.semel.dynamodb;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The names and values of an expression. A name is written {@code #status} in it, because many names are reserved words.
 */
final class DynamoUpdate {
    private static final Pattern NAME = Pattern.compile("#(\\w+)");

    private final String condition;
    private final String update;
    private final Map<String, AttributeValue> values;

    private DynamoUpdate(String condition, String update, Map<String, AttributeValue> values) {
        this.condition = condition;
        this.update = update;
        this.values = values;
    }

    /** A condition alone, for inserts, deletions and checks. */
    static DynamoUpdate onlyIf(String condition) {
        return new DynamoUpdate(condition, "", Map.of());
    }

    DynamoUpdate then(String changes) {
        return new DynamoUpdate(condition, changes, values);
    }

    DynamoUpdate with(String name, AttributeValue value) {
        Map<String, AttributeValue> more = new HashMap<>(values);
        more.put(name, value);
        return new DynamoUpdate(condition, update, more);
    }

    DynamoUpdate with(Map<String, AttributeValue> some) {
        Map<String, AttributeValue> more = new HashMap<>(values);
        more.putAll(some);
        return new DynamoUpdate(condition, update, more);
    }

    DynamoUpdate and(DynamoUpdate other) {
        return new DynamoUpdate(condition + " AND " + other.condition, update + other.update, values)
                .with(other.values);
    }

    String condition() {
        return condition;
    }

    String update() {
        return update;
    }

    Map<String, AttributeValue> values() {
        return values;
    }

    Map<String, String> names() {
        Map<String, String> names = new HashMap<>();
        Matcher found = NAME.matcher(condition + " " + update);
        while (found.find()) {
            names.put(found.group(), found.group(1));
        }
        return names;
    }
}

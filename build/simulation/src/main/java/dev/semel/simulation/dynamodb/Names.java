// SPDX-License-Identifier: Apache-2.0
package dev.semel.simulation.dynamodb;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** What the placeholders of an expression stand for. */
record Names(Map<String, String> names, Map<String, AttributeValue> values) {
    /** The name of an attribute, which may be a placeholder. */
    String name(String word) {
        return word.startsWith("#") ? given(names, word) : word;
    }

    /** The value of a placeholder or of an attribute; null if there is no such attribute. */
    @Nullable
    AttributeValue value(String word, Map<String, AttributeValue> item) {
        return word.startsWith(":") ? given(values, word) : item.get(name(word));
    }

    private static <V> V given(Map<String, V> given, String placeholder) {
        V value = given.get(placeholder);
        if (value == null) {
            throw new IllegalStateException("An expression uses %s, which is not given".formatted(placeholder));
        }
        return value;
    }
}

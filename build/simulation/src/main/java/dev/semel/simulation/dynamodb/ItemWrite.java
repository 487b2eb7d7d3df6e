// SPDX-License-Identifier: Apache-2.0
package dev.semel.simulation.dynamodb;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionCheck;
import software.amazon.awssdk.services.dynamodb.model.Delete;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** One conditional write of one item, or only a check of it. */
public final class ItemWrite {
    private static final String KEY = "key_hash";

    private final SdkBytes key;
    private final @Nullable Condition condition;
    private final Names names;
    private final Change change;

    private ItemWrite(
            Map<String, AttributeValue> keyed,
            @Nullable String condition,
            @Nullable Update update,
            Map<String, String> names,
            Map<String, AttributeValue> values,
            Change change) {
        this.key = keyOf(keyed);
        this.condition = condition == null ? null : Condition.of(condition);
        this.names = new Names(names, values);
        this.change = change;
        Set<String> used = new HashSet<>(update == null ? Set.of() : update.placeholders());
        used.addAll(this.condition == null ? Set.of() : this.condition.placeholders());
        if (!used.containsAll(names.keySet()) || !used.containsAll(values.keySet())) {
            throw new IllegalStateException(
                    "A request gives names or values that its expressions do not use: %s %s, used: %s"
                            .formatted(names.keySet(), values.keySet(), used));
        }
    }

    /** The item afterwards; null if there is none. */
    private interface Change {
        @Nullable
        Map<String, AttributeValue> of(@Nullable Map<String, AttributeValue> before, Names names);
    }

    static SdkBytes keyOf(Map<String, AttributeValue> keyed) {
        AttributeValue key = keyed.get(KEY);
        if (key == null || key.b() == null) {
            throw new IllegalStateException("An item needs the key " + KEY);
        }
        return key.b();
    }

    /** The write of a request. */
    public static ItemWrite of(PutItemRequest put) {
        return put(
                put.item(), put.conditionExpression(), put.expressionAttributeNames(), put.expressionAttributeValues());
    }

    /** The write of a request. */
    public static ItemWrite of(UpdateItemRequest update) {
        return update(
                update.key(),
                update.updateExpression(),
                update.conditionExpression(),
                update.expressionAttributeNames(),
                update.expressionAttributeValues());
    }

    /** The write of a request. */
    public static ItemWrite of(DeleteItemRequest delete) {
        return delete(
                delete.key(),
                delete.conditionExpression(),
                delete.expressionAttributeNames(),
                delete.expressionAttributeValues());
    }

    /** One write of a transaction. */
    public static ItemWrite of(TransactWriteItem item) {
        if (item.put() != null) {
            Put put = item.put();
            return put(
                    put.item(),
                    put.conditionExpression(),
                    put.expressionAttributeNames(),
                    put.expressionAttributeValues());
        }
        if (item.update() != null) {
            software.amazon.awssdk.services.dynamodb.model.Update update = item.update();
            return update(
                    update.key(),
                    update.updateExpression(),
                    update.conditionExpression(),
                    update.expressionAttributeNames(),
                    update.expressionAttributeValues());
        }
        if (item.delete() != null) {
            Delete delete = item.delete();
            return delete(
                    delete.key(),
                    delete.conditionExpression(),
                    delete.expressionAttributeNames(),
                    delete.expressionAttributeValues());
        }
        ConditionCheck check = item.conditionCheck();
        return new ItemWrite(
                check.key(),
                check.conditionExpression(),
                null,
                check.expressionAttributeNames(),
                check.expressionAttributeValues(),
                (before, names) -> before);
    }

    private static ItemWrite put(
            Map<String, AttributeValue> item,
            @Nullable String condition,
            Map<String, String> names,
            Map<String, AttributeValue> values) {
        return new ItemWrite(item, condition, null, names, values, (before, any) -> item);
    }

    private static ItemWrite update(
            Map<String, AttributeValue> key,
            String expression,
            @Nullable String condition,
            Map<String, String> names,
            Map<String, AttributeValue> values) {
        Update update = Update.of(expression);
        return new ItemWrite(
                key,
                condition,
                update,
                names,
                values,
                (before, all) -> update.appliedTo(before == null ? key : before, all));
    }

    private static ItemWrite delete(
            Map<String, AttributeValue> key,
            @Nullable String condition,
            Map<String, String> names,
            Map<String, AttributeValue> values) {
        return new ItemWrite(key, condition, null, names, values, (before, any) -> null);
    }

    SdkBytes key() {
        return key;
    }

    /** Whether the condition holds in this item; null if there is none. */
    boolean isAllowed(@Nullable Map<String, AttributeValue> before) {
        return condition == null || condition.holdsIn(before == null ? Map.of() : before, names);
    }

    /** The item afterwards; null if there is none. */
    @Nullable
    Map<String, AttributeValue> after(@Nullable Map<String, AttributeValue> before) {
        return change.of(before, names);
    }
}

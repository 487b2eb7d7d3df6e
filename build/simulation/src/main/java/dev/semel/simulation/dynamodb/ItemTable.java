// SPDX-License-Identifier: Apache-2.0
package dev.semel.simulation.dynamodb;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/** One table with its index of due rows, which shows each change some time later. */
public final class ItemTable {
    /** DynamoDB's limit of an item with the names of its attributes. Values are counted only. */
    private static final int LARGEST_ITEM = 400 * 1024;

    private static final int MOST_WRITES = 100;

    private final Changes changes;
    private final Map<SdkBytes, Map<String, AttributeValue>> items = new HashMap<>();
    private final Map<SdkBytes, Map<String, AttributeValue>> index = new HashMap<>();
    private final Queue<IndexChange> late = new ArrayDeque<>();
    private long indexed;

    /** @param changes is told every change of an item */
    public ItemTable(Changes changes) {
        this.changes = changes;
    }

    /** Is told what a write has changed. */
    public interface Changes {
        /** An item before and after a write; null if there is none. */
        void changed(@Nullable Map<String, AttributeValue> before, @Nullable Map<String, AttributeValue> after);
    }

    private record IndexChange(
            long at, SdkBytes key, @Nullable Map<String, AttributeValue> item) {}

    /** What a write found and left. */
    public record Written(
            boolean held,
            @Nullable Map<String, AttributeValue> before,
            @Nullable Map<String, AttributeValue> after) {}

    /** The item with this key; null if there is none. */
    public @Nullable Map<String, AttributeValue> get(Map<String, AttributeValue> key) {
        return items.get(ItemWrite.keyOf(key));
    }

    /**
     * Writes, if the condition holds.
     *
     * @param indexedAt when the index shows the change, unless an earlier change takes longer
     */
    public Written write(ItemWrite write, long indexedAt) {
        Map<String, AttributeValue> before = items.get(write.key());
        if (!write.isAllowed(before)) {
            return new Written(false, before, before);
        }
        Map<String, AttributeValue> after = write.after(before);
        store(write.key(), before, after, indexedAt);
        return new Written(true, before, after);
    }

    /** Writes all or nothing. Returns for each write whether its condition holds. */
    public List<Boolean> transact(List<ItemWrite> writes, long indexedAt) {
        Set<SdkBytes> keys = new HashSet<>();
        for (ItemWrite write : writes) {
            if (!keys.add(write.key())) {
                throw new IllegalStateException("A transaction is about one item twice");
            }
        }
        if (writes.isEmpty() || writes.size() > MOST_WRITES) {
            throw new IllegalStateException("A transaction has %d writes".formatted(writes.size()));
        }
        List<Boolean> held = writes.stream()
                .map(write -> write.isAllowed(items.get(write.key())))
                .toList();
        if (!held.contains(false)) {
            writes.forEach(write -> write(write, indexedAt));
        }
        return held;
    }

    private void store(
            SdkBytes key,
            @Nullable Map<String, AttributeValue> before,
            @Nullable Map<String, AttributeValue> after,
            long indexedAt) {
        if (after == null) {
            items.remove(key);
        } else if (sizeOf(after) > LARGEST_ITEM) {
            throw new IllegalStateException("An item is larger than DynamoDB allows");
        } else {
            items.put(key, Map.copyOf(after));
        }
        indexed = Math.max(indexed, indexedAt);
        late.add(
                new IndexChange(indexed, key, after == null || !after.containsKey("due_at") ? null : projected(after)));
        changes.changed(before, after);
    }

    private static int sizeOf(Map<String, AttributeValue> item) {
        return item.values().stream()
                .mapToInt(value -> value.b() == null ? 40 : value.b().asByteArrayUnsafe().length)
                .sum();
    }

    private static Map<String, AttributeValue> projected(Map<String, AttributeValue> item) {
        Map<String, AttributeValue> keys = new HashMap<>(item);
        keys.keySet().retainAll(Set.of("key_hash", "due_shard", "due_at"));
        return keys;
    }

    /** What the index shows now, in the order of the due times. */
    public List<Map<String, AttributeValue>> query(QueryRequest query, long now) {
        if (!"due".equals(query.indexName()) || query.limit() == null || query.hasExclusiveStartKey()) {
            throw new IllegalStateException("The simulated DynamoDB does not know this query: " + query);
        }
        for (IndexChange next = late.peek(); next != null && next.at <= now; next = late.peek()) {
            late.remove();
            if (next.item == null) {
                index.remove(next.key);
            } else {
                index.put(next.key, next.item);
            }
        }
        Condition wanted = Condition.of(query.keyConditionExpression());
        Names names = new Names(query.expressionAttributeNames(), query.expressionAttributeValues());
        List<Map<String, AttributeValue>> found = new ArrayList<>();
        index.values().stream().filter(item -> wanted.holdsIn(item, names)).forEach(found::add);
        found.sort(Comparator.comparingLong(
                        (Map<String, AttributeValue> item) -> Condition.number(item.get("due_at"), "due_at"))
                .thenComparing(item -> ItemWrite.keyOf(item).asByteBuffer()));
        return found.subList(0, Math.min(found.size(), query.limit()));
    }
}

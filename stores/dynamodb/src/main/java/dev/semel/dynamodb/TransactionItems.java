// SPDX-License-Identifier: Apache-2.0
package dev.semel.dynamodb;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/**
 * The result of work, and the items that have to be written together with it. Conditions and condition checks are allowed: if one
 * does not hold, nothing is written.
 *
 * @param value the result, which duplicates receive too
 * @param items puts, updates, deletions and condition checks on tables of yours, at most {@value #MAX_ITEMS}
 */
public record TransactionItems<T extends @Nullable Object>(T value, List<TransactWriteItem> items) {
    /**
     * The maximum number of items. DynamoDB writes up to 100 in one transaction. Two are left for the claim: one for each of its
     * digests. A key with more digests, from aliases or other active secrets, leaves less.
     */
    public static final int MAX_ITEMS = 98;

    /** DynamoDB's limit of all items together. */
    private static final int MAX_BYTES = 4 * 1024 * 1024;

    /**
     * @throws IllegalArgumentException if there are too many items, if one of them is empty, if two are surely about the same item, or
     *     if they are surely too large
     */
    public TransactionItems {
        items = List.copyOf(items);
        if (items.size() > MAX_ITEMS) {
            throw new IllegalArgumentException(
                    "A transaction can have up to %d items besides its claim, but there are %d: write fewer, or split the work"
                            .formatted(MAX_ITEMS, items.size()));
        }
        List<Target> targets = new ArrayList<>();
        long bytes = 0;
        for (int i = 0; i < items.size(); i++) {
            Target target = Target.of(items.get(i), i);
            for (int earlier = 0; earlier < i; earlier++) {
                if (target.isSameAs(targets.get(earlier))) {
                    throw new IllegalArgumentException(
                            "Items %d and %d are about the same item of %s: DynamoDB allows one of them in a transaction"
                                    .formatted(earlier, i, target.table()));
                }
            }
            targets.add(target);
            bytes += target.bytes();
        }
        if (bytes > MAX_BYTES) {
            throw new IllegalArgumentException(
                    "The items have at least %d bytes, but DynamoDB writes at most %d in one transaction"
                            .formatted(bytes, MAX_BYTES));
        }
    }

    /** A result and the items to write. */
    public static <T extends @Nullable Object> TransactionItems<T> of(T value, TransactWriteItem... items) {
        return new TransactionItems<>(value, List.of(items));
    }

    /** @throws IllegalArgumentException if an item is in this table */
    void requireOutside(String table) {
        for (int i = 0; i < items.size(); i++) {
            String written = Target.of(items.get(i), i).table();
            if (nameOf(written).equals(nameOf(table))) {
                throw new IllegalArgumentException(
                        "Item %d is in Semel's own table %s: write to tables of your own".formatted(i, table));
            }
        }
    }

    /** A table can be named by its ARN. */
    private static String nameOf(String table) {
        return table.substring(table.lastIndexOf('/') + 1);
    }

    /** The item with the values is not shown: it may be confidential. */
    @Override
    public String toString() {
        return "TransactionItems[" + items.size() + " items]";
    }

    /**
     * What one of the items is about.
     *
     * @param key the key, or of a put the whole item, whose key is not known without its table
     */
    private record Target(String table, Map<String, AttributeValue> key, boolean put, long bytes) {
        static Target of(TransactWriteItem item, int index) {
            List<Target> all = new ArrayList<>();
            if (item.put() != null) {
                all.add(new Target(
                        item.put().tableName(),
                        item.put().item(),
                        true,
                        sizeOf(item.put().item())));
            }
            if (item.update() != null) {
                all.add(new Target(
                        item.update().tableName(),
                        item.update().key(),
                        false,
                        sizeOf(item.update().expressionAttributeValues())));
            }
            if (item.delete() != null) {
                all.add(new Target(item.delete().tableName(), item.delete().key(), false, 0));
            }
            if (item.conditionCheck() != null) {
                all.add(new Target(
                        item.conditionCheck().tableName(), item.conditionCheck().key(), false, 0));
            }
            if (all.size() != 1 || all.get(0).table == null || all.get(0).key.isEmpty()) {
                throw new IllegalArgumentException(
                        "Item %d must be one put, update, deletion or condition check, with a table and a key"
                                .formatted(index));
            }
            return all.get(0);
        }

        boolean isSameAs(Target other) {
            if (!nameOf(table).equals(nameOf(other.table))) {
                return false;
            }
            if (put == other.put) {
                return key.equals(other.key);
            }
            return put
                    ? key.entrySet().containsAll(other.key.entrySet())
                    : other.key.entrySet().containsAll(key.entrySet());
        }

        private static String nameOf(String table) {
            return table.substring(table.lastIndexOf('/') + 1);
        }

        /** At least. Numbers and the overhead of lists do not count. */
        private static long sizeOf(Map<String, AttributeValue> attributes) {
            long size = 0;
            for (Map.Entry<String, AttributeValue> attribute : attributes.entrySet()) {
                size += attribute.getKey().length() + sizeOf(Objects.requireNonNull(attribute.getValue()));
            }
            return size;
        }

        private static long sizeOf(AttributeValue value) {
            if (value.s() != null) {
                return value.s().length();
            }
            if (value.b() != null) {
                return value.b().asByteArrayUnsafe().length;
            }
            if (value.hasM()) {
                return sizeOf(value.m());
            }
            long size = 0;
            for (AttributeValue element : value.l()) {
                size += sizeOf(element);
            }
            return size;
        }
    }
}

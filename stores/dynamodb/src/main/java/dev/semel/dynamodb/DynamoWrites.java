// SPDX-License-Identifier: Apache-2.0
package dev.semel.dynamodb;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Digest;
import dev.semel.claim.StoreException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/** The writes of one transaction, at most one for each item. */
final class DynamoWrites {
    /** DynamoDB's limit of items in a transaction. */
    static final int MOST_ITEMS = 100;

    static final DynamoUpdate ABSENT = DynamoUpdate.onlyIf("attribute_not_exists(#key_hash)");

    private final String table;
    private final Set<Digest> written = new HashSet<>();
    private final List<TransactWriteItem> items = new ArrayList<>();

    DynamoWrites(String table) {
        this.table = table;
    }

    void insert(ClaimRef ref, Map<String, AttributeValue> item) {
        written.add(ref.digest());
        insert(item);
    }

    /** An item that is not a claim. */
    void insert(Map<String, AttributeValue> item) {
        items.add(TransactWriteItem.builder()
                .put(put -> put.tableName(table)
                        .item(item)
                        .conditionExpression(ABSENT.condition())
                        .expressionAttributeNames(ABSENT.names()))
                .build());
    }

    void update(ClaimRef ref, DynamoUpdate update) {
        written.add(ref.digest());
        items.add(TransactWriteItem.builder()
                .update(request -> request.tableName(table)
                        .key(DynamoRow.keyOf(ref.digest()))
                        .conditionExpression(update.condition())
                        .updateExpression(update.update().strip())
                        .expressionAttributeNames(update.names())
                        .expressionAttributeValues(orNone(update)))
                .build());
    }

    void delete(ClaimRef ref, DynamoUpdate when) {
        written.add(ref.digest());
        items.add(TransactWriteItem.builder()
                .delete(request -> request.tableName(table)
                        .key(DynamoRow.keyOf(ref.digest()))
                        .conditionExpression(when.condition())
                        .expressionAttributeNames(when.names())
                        .expressionAttributeValues(orNone(when)))
                .build());
    }

    /** Call it last: an item that is written has a condition already. */
    void check(ClaimRef ref, DynamoUpdate when) {
        if (written.add(ref.digest())) {
            items.add(TransactWriteItem.builder()
                    .conditionCheck(request -> request.tableName(table)
                            .key(DynamoRow.keyOf(ref.digest()))
                            .conditionExpression(when.condition())
                            .expressionAttributeNames(when.names())
                            .expressionAttributeValues(orNone(when)))
                    .build());
        }
    }

    /** DynamoDB refuses an empty map. */
    private static @Nullable Map<String, AttributeValue> orNone(DynamoUpdate update) {
        return update.values().isEmpty() ? null : update.values();
    }

    List<TransactWriteItem> items() {
        return items;
    }

    /** @throws StoreException if DynamoDB does not write so many items in one transaction */
    List<TransactWriteItem> bounded() {
        if (items.size() > MOST_ITEMS) {
            throw new StoreException(
                    StoreException.Kind.REJECTED,
                    "The claim has too many keys: DynamoDB writes at most %d items in one transaction"
                            .formatted(MOST_ITEMS));
        }
        return items;
    }
}

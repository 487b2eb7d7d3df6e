// SPDX-License-Identifier: Apache-2.0
package dev.semel.dynamodb;

import java.util.Map;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/** A table of a user: accounts with balances. */
final class Accounts {
    private final DynamoDbAsyncClient client;
    private final String table;

    private Accounts(DynamoDbAsyncClient client, String table) {
        this.client = client;
        this.table = table;
    }

    static Accounts creating(DynamoDbAsyncClient client, String table) {
        client.createTable(request -> request.tableName(table)
                        .billingMode(BillingMode.PAY_PER_REQUEST)
                        .attributeDefinitions(AttributeDefinition.builder()
                                .attributeName("id")
                                .attributeType(ScalarAttributeType.S)
                                .build())
                        .keySchema(KeySchemaElement.builder()
                                .attributeName("id")
                                .keyType(KeyType.HASH)
                                .build()))
                .join();
        return new Accounts(client, table);
    }

    String table() {
        return table;
    }

    static Map<String, AttributeValue> keyOf(String id) {
        return Map.of("id", DynamoValues.text(id));
    }

    /** Adds to a balance, without a condition: a second effect would be seen. */
    TransactWriteItem adding(String id, long amount) {
        return TransactWriteItem.builder()
                .update(update -> update.tableName(table)
                        .key(keyOf(id))
                        .updateExpression("ADD balance :amount")
                        .expressionAttributeValues(Map.of(":amount", DynamoValues.number(amount))))
                .build();
    }

    /** Takes from a balance, if it is enough. */
    TransactWriteItem taking(String id, long amount) {
        return TransactWriteItem.builder()
                .update(update -> update.tableName(table)
                        .key(keyOf(id))
                        .conditionExpression("balance >= :amount")
                        .updateExpression("SET balance = balance - :amount")
                        .expressionAttributeValues(Map.of(":amount", DynamoValues.number(amount))))
                .build();
    }

    TransactWriteItem putting(String id, AttributeValue content) {
        return TransactWriteItem.builder()
                .put(put -> put.tableName(table).item(Map.of("id", DynamoValues.text(id), "content", content)))
                .build();
    }

    TransactWriteItem checking(String id) {
        return TransactWriteItem.builder()
                .conditionCheck(
                        check -> check.tableName(table).key(keyOf(id)).conditionExpression("attribute_exists(id)"))
                .build();
    }

    TransactWriteItem deleting(String id) {
        return TransactWriteItem.builder()
                .delete(delete -> delete.tableName(table).key(keyOf(id)))
                .build();
    }

    boolean exists(String id) {
        return client.getItem(get -> get.tableName(table).key(keyOf(id)).consistentRead(true))
                .join()
                .hasItem();
    }

    /** The balance; 0 if there is no such account. */
    long balance(String id) {
        Map<String, AttributeValue> item = client.getItem(
                        get -> get.tableName(table).key(keyOf(id)).consistentRead(true))
                .join()
                .item();
        Long balance = DynamoValues.numberOrNull(item, "balance");
        return balance == null ? 0 : balance;
    }
}

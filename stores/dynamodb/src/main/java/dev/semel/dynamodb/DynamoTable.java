// SPDX-License-Identifier: Apache-2.0
package dev.semel.dynamodb;

import dev.semel.claim.StoreException;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndexDescription;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.Projection;
import software.amazon.awssdk.services.dynamodb.model.ProjectionType;
import software.amazon.awssdk.services.dynamodb.model.ResourceInUseException;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;

/** The table: its definition, and whether it exists. The template for CloudFormation defines the same table. */
final class DynamoTable {
    /** The index of rows by the time at which the sweep checks them. */
    static final String INDEX = "due";

    static final String TEMPLATE = "dev/semel/dynamodb/table.template.json";
    static final String POLICY = "dev/semel/dynamodb/policy.json";

    private DynamoTable() {}

    static CreateTableRequest definition(String table) {
        return CreateTableRequest.builder()
                .tableName(table)
                .billingMode(BillingMode.PAY_PER_REQUEST)
                .attributeDefinitions(
                        attribute(DynamoRow.KEY, ScalarAttributeType.B),
                        attribute("due_shard", ScalarAttributeType.N),
                        attribute("due_at", ScalarAttributeType.N))
                .keySchema(key(DynamoRow.KEY, KeyType.HASH))
                .globalSecondaryIndexes(GlobalSecondaryIndex.builder()
                        .indexName(INDEX)
                        .keySchema(key("due_shard", KeyType.HASH), key("due_at", KeyType.RANGE))
                        .projection(Projection.builder()
                                .projectionType(ProjectionType.KEYS_ONLY)
                                .build())
                        .build())
                .build();
    }

    private static AttributeDefinition attribute(String name, ScalarAttributeType type) {
        return AttributeDefinition.builder()
                .attributeName(name)
                .attributeType(type)
                .build();
    }

    private static KeySchemaElement key(String name, KeyType type) {
        return KeySchemaElement.builder().attributeName(name).keyType(type).build();
    }

    /** Creates the table if it does not exist, and waits until it is active. */
    static void create(DynamoDbAsyncClient client, String table) {
        DynamoFutures.await(client.createTable(definition(table)).handle((answer, failure) -> {
            if (failure != null && !(DynamoErrors.unwrapped(failure) instanceof ResourceInUseException)) {
                throw DynamoErrors.translate(failure, "dynamodb:CreateTable", table);
            }
            return true;
        }));
        DynamoFutures.await(client.waiter()
                .waitUntilTableExists(request -> request.tableName(table))
                .handle((answer, failure) -> {
                    if (failure != null) {
                        throw DynamoErrors.translate(failure, "dynamodb:DescribeTable", table);
                    }
                    return true;
                }));
    }

    /** @throws StoreException if the table or its index does not exist, or differs */
    static void check(DynamoDbAsyncClient client, String table) {
        TableDescription found = DynamoFutures.await(client.describeTable(request -> request.tableName(table))
                .handle((answer, failure) -> {
                    if (failure != null) {
                        throw DynamoErrors.translate(failure, "dynamodb:DescribeTable", table);
                    }
                    return answer.table();
                }));
        CreateTableRequest wanted = definition(table);
        Map<String, List<KeySchemaElement>> indexes = found.globalSecondaryIndexes().stream()
                .collect(Collectors.toMap(
                        GlobalSecondaryIndexDescription::indexName, GlobalSecondaryIndexDescription::keySchema));
        if (!found.keySchema().equals(wanted.keySchema())
                || !wanted.globalSecondaryIndexes().get(0).keySchema().equals(indexes.get(INDEX))) {
            throw new StoreException(
                    StoreException.Kind.REJECTED,
                    "The table %s is not one of Semel's claims: its key or its index \"%s\" differs from %s"
                            .formatted(table, INDEX, TEMPLATE));
        }
    }
}

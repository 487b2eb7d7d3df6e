// SPDX-License-Identifier: Apache-2.0
package dev.semel.dynamodb;

import dev.semel.claim.StoreException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
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
    static final String DUE = "due";

    /** The index of rows by tenant and time, for lists. Optional: without it, a claim costs a write unit less. */
    static final String LISTED = "listed";

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
                        attribute("due_at", ScalarAttributeType.N),
                        attribute(DynamoListing.PARTITION, ScalarAttributeType.B),
                        attribute(DynamoListing.POSITION, ScalarAttributeType.B))
                .keySchema(key(DynamoRow.KEY, KeyType.HASH))
                .globalSecondaryIndexes(
                        index(
                                DUE,
                                "due_shard",
                                "due_at",
                                projection -> projection.projectionType(ProjectionType.KEYS_ONLY)),
                        // The scope of a claim does not change, so a settlement does not write this index.
                        index(
                                LISTED,
                                DynamoListing.PARTITION,
                                DynamoListing.POSITION,
                                projection -> projection
                                        .projectionType(ProjectionType.INCLUDE)
                                        .nonKeyAttributes("scope")))
                .build();
    }

    private static GlobalSecondaryIndex index(
            String name, String partition, String sort, Consumer<Projection.Builder> projected) {
        return GlobalSecondaryIndex.builder()
                .indexName(name)
                .keySchema(key(partition, KeyType.HASH), key(sort, KeyType.RANGE))
                .projection(projected)
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

    /** @throws StoreException if the table or its index of due rows does not exist, or differs */
    static void check(DynamoDbAsyncClient client, String table) {
        TableDescription found = DynamoFutures.await(described(client, table));
        CreateTableRequest wanted = definition(table);
        boolean same = found.keySchema().equals(wanted.keySchema())
                && wanted.globalSecondaryIndexes().stream().allMatch(index -> {
                    GlobalSecondaryIndexDescription existing = indexOf(found, index.indexName());
                    return existing == null
                            ? index.indexName().equals(LISTED)
                            : existing.keySchema().equals(index.keySchema());
                });
        if (!same) {
            throw new StoreException(
                    StoreException.Kind.REJECTED,
                    "The table %s is not one of Semel's claims: its key or its index \"%s\" differs from %s"
                            .formatted(table, DUE, TEMPLATE));
        }
    }

    static CompletableFuture<TableDescription> described(DynamoDbAsyncClient client, String table) {
        return client.describeTable(request -> request.tableName(table)).handle((answer, failure) -> {
            if (failure != null) {
                throw DynamoErrors.translate(failure, "dynamodb:DescribeTable", table);
            }
            return answer.table();
        });
    }

    static @Nullable GlobalSecondaryIndexDescription indexOf(TableDescription table, String name) {
        return table.globalSecondaryIndexes().stream()
                .filter(index -> index.indexName().equals(name))
                .findFirst()
                .orElse(null);
    }
}

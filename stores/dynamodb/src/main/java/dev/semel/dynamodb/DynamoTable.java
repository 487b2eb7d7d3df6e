// SPDX-License-Identifier: Apache-2.0
package dev.semel.dynamodb;

import static java.util.stream.Collectors.joining;

import dev.semel.claim.StoreException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.CreateGlobalSecondaryIndexAction;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndexDescription;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndexUpdate;
import software.amazon.awssdk.services.dynamodb.model.IndexStatus;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.Projection;
import software.amazon.awssdk.services.dynamodb.model.ProjectionType;
import software.amazon.awssdk.services.dynamodb.model.ProvisionedThroughputDescription;
import software.amazon.awssdk.services.dynamodb.model.ReplicaDescription;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;
import software.amazon.awssdk.services.dynamodb.model.TableStatus;
import software.amazon.awssdk.services.dynamodb.model.UpdateTableRequest;

/** The table: its definition, and whether it exists. The template for CloudFormation defines the same table. */
final class DynamoTable {
    /** The index of rows by the time at which the sweep checks them. */
    static final String DUE = "due";

    /** The index of rows by tenant and time, for lists. Optional: without it, a claim costs a write unit less. */
    static final String LISTED = "listed";

    static final String TEMPLATE = "dev/semel/dynamodb/table.template.json";
    static final String POLICY = "dev/semel/dynamodb/policy.json";

    private DynamoTable() {}

    /** @param lists whether the table has the index for lists */
    static CreateTableRequest definition(String table, boolean lists) {
        List<GlobalSecondaryIndex> indexes = new ArrayList<>();
        indexes.add(
                index(DUE, "due_shard", "due_at", projection -> projection.projectionType(ProjectionType.KEYS_ONLY)));
        if (lists) {
            // The scope of a claim does not change, so a settlement does not write this index.
            indexes.add(index(
                    LISTED,
                    DynamoListing.PARTITION,
                    DynamoListing.POSITION,
                    projection ->
                            projection.projectionType(ProjectionType.INCLUDE).nonKeyAttributes("scope")));
        }
        return CreateTableRequest.builder()
                .tableName(table)
                .billingMode(BillingMode.PAY_PER_REQUEST)
                .attributeDefinitions(attributesOf(indexes))
                .keySchema(key(DynamoRow.KEY, KeyType.HASH))
                .globalSecondaryIndexes(indexes)
                .build();
    }

    private static List<AttributeDefinition> attributesOf(List<GlobalSecondaryIndex> indexes) {
        List<AttributeDefinition> attributes = new ArrayList<>();
        attributes.add(attribute(DynamoRow.KEY, ScalarAttributeType.B));
        for (GlobalSecondaryIndex index : indexes) {
            ScalarAttributeType type = index.indexName().equals(DUE) ? ScalarAttributeType.N : ScalarAttributeType.B;
            index.keySchema().forEach(key -> attributes.add(attribute(key.attributeName(), type)));
        }
        return attributes;
    }

    /** The request that adds this index to an existing table. DynamoDB adds one at a time. */
    static UpdateTableRequest adding(TableDescription existing, GlobalSecondaryIndex index) {
        CreateGlobalSecondaryIndexAction.Builder create = CreateGlobalSecondaryIndexAction.builder()
                .indexName(index.indexName())
                .keySchema(index.keySchema())
                .projection(index.projection());
        ProvisionedThroughputDescription provisioned = existing.provisionedThroughput();
        boolean onDemand = existing.billingModeSummary() != null
                && existing.billingModeSummary().billingMode() == BillingMode.PAY_PER_REQUEST;
        if (!onDemand && provisioned != null) {
            create.provisionedThroughput(throughput -> throughput
                    .readCapacityUnits(provisioned.readCapacityUnits())
                    .writeCapacityUnits(provisioned.writeCapacityUnits()));
        }
        Set<AttributeDefinition> attributes = new LinkedHashSet<>(existing.attributeDefinitions());
        attributes.addAll(attributesOf(List.of(index)));
        return UpdateTableRequest.builder()
                .tableName(existing.tableName())
                .attributeDefinitions(attributes)
                .globalSecondaryIndexUpdates(GlobalSecondaryIndexUpdate.builder()
                        .create(create.build())
                        .build())
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

    /** @throws StoreException if the table or its index of due rows does not exist, or differs */
    static void check(DynamoDbAsyncClient client, String table) {
        TableDescription found = DynamoFutures.await(described(client, table));
        requireSame(found);
        requireOneRegion(found);
        if (indexOf(found, DUE) == null) {
            throw differs(found, "index \"%s\" is missing: add it with DynamoMigration".formatted(DUE));
        }
    }

    /** @throws StoreException if the table is a global one */
    static void requireOneRegion(TableDescription found) {
        if (found.hasReplicas() && !found.replicas().isEmpty()) {
            throw new StoreException(
                    StoreException.Kind.REJECTED,
                    "The table %s is replicated to other regions (%s), where a key could get a second owner. Remove the replicas,"
                                    .formatted(
                                            found.tableName(),
                                            found.replicas().stream()
                                                    .map(ReplicaDescription::regionName)
                                                    .collect(joining(", ")))
                            + " or use a table without replicas");
        }
    }

    /** @throws StoreException if the key or an existing index differs */
    static void requireSame(TableDescription found) {
        CreateTableRequest wanted = definition(found.tableName(), true);
        if (!found.keySchema().equals(wanted.keySchema())
                || !found.attributeDefinitions().contains(attribute(DynamoRow.KEY, ScalarAttributeType.B))) {
            throw differs(found, "key differs from " + TEMPLATE);
        }
        for (GlobalSecondaryIndex index : wanted.globalSecondaryIndexes()) {
            GlobalSecondaryIndexDescription existing = indexOf(found, index.indexName());
            boolean same = existing == null
                    || (existing.keySchema().equals(index.keySchema())
                            && found.attributeDefinitions().containsAll(attributesOf(List.of(index)))
                            && includes(existing.projection(), index.projection()));
            if (!same) {
                throw differs(found, "index \"%s\" differs from %s".formatted(index.indexName(), TEMPLATE));
            }
        }
    }

    private static boolean includes(Projection existing, Projection wanted) {
        return existing.projectionType() == ProjectionType.ALL
                || existing.nonKeyAttributes().containsAll(wanted.nonKeyAttributes());
    }

    private static StoreException differs(TableDescription found, String how) {
        return new StoreException(
                StoreException.Kind.REJECTED,
                "The table %s is not one of Semel's claims: its %s".formatted(found.tableName(), how));
    }

    /** Whether the table and all its indexes can be used. */
    static boolean isActive(TableDescription table) {
        return table.tableStatus() == TableStatus.ACTIVE
                && table.globalSecondaryIndexes().stream().allMatch(index -> index.indexStatus() == IndexStatus.ACTIVE);
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

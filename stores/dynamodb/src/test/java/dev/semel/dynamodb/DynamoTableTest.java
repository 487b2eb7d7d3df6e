// SPDX-License-Identifier: Apache-2.0
package dev.semel.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.semel.claim.StoreException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndexDescription;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ReplicaDescription;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveDescription;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveStatus;

class DynamoTableTest {
    private static DynamoDbAsyncClient client;

    @BeforeAll
    static void open() {
        client = DynamoAccess.client();
    }

    @AfterAll
    static void close() {
        client.close();
    }

    @Test
    void theTemplateDefinesTheTableThatIsCreated() throws Exception {
        DynamoClaimStore.creating(client);
        // Twice: an existing table is used.
        DynamoClaimStore.creating(client);
        TableDescription created = client.describeTable(table -> table.tableName(DynamoClaimStore.TABLE))
                .join()
                .table();

        JsonNode template = template();
        JsonNode table = template.at("/Resources/Claims/Properties");
        assertThat(template.at("/Parameters/TableName/Default").asText()).isEqualTo(created.tableName());
        assertThat(table.get("BillingMode").asText()).isEqualTo(BillingMode.PAY_PER_REQUEST.toString());
        assertThat(created.billingModeSummary().billingMode()).isEqualTo(BillingMode.PAY_PER_REQUEST);
        assertThat(keys(table.get("KeySchema"))).isEqualTo(keys(created.keySchema()));
        assertThat(table.get("AttributeDefinitions"))
                .hasSize(created.attributeDefinitions().size());
        created.attributeDefinitions()
                .forEach(attribute -> assertThat(table.get("AttributeDefinitions"))
                        .anyMatch(each -> each.get("AttributeName").asText().equals(attribute.attributeName())
                                && each.get("AttributeType").asText().equals(attribute.attributeTypeAsString())));
        TimeToLiveDescription timeToLive = client.describeTimeToLive(request -> request.tableName(created.tableName()))
                .join()
                .timeToLiveDescription();
        assertThat(timeToLive.timeToLiveStatus()).isEqualTo(TimeToLiveStatus.ENABLED);
        assertThat(table.at("/TimeToLiveSpecification/AttributeName").asText()).isEqualTo(timeToLive.attributeName());
        JsonNode indexes = table.get("GlobalSecondaryIndexes");
        assertThat(created.globalSecondaryIndexes())
                .extracting(GlobalSecondaryIndexDescription::indexName)
                .containsExactlyInAnyOrder(DynamoTable.DUE, DynamoTable.LISTED);
        assertThat(indexes).hasSameSizeAs(created.globalSecondaryIndexes());
        for (JsonNode index : indexes) {
            GlobalSecondaryIndexDescription same = Objects.requireNonNull(
                    DynamoTable.indexOf(created, index.get("IndexName").asText()));
            assertThat(keys(index.get("KeySchema"))).isEqualTo(keys(same.keySchema()));
            assertThat(index.at("/Projection/ProjectionType").asText())
                    .isEqualTo(same.projection().projectionTypeAsString());
            List<String> projected = new ArrayList<>();
            index.at("/Projection/NonKeyAttributes").forEach(each -> projected.add(each.asText()));
            assertThat(projected).isEqualTo(same.projection().nonKeyAttributes());
        }
    }

    private static JsonNode template() throws Exception {
        try (InputStream content = DynamoTable.class.getClassLoader().getResourceAsStream(DynamoTable.TEMPLATE)) {
            return new ObjectMapper().readTree(content);
        }
    }

    private static List<String> keys(JsonNode schema) {
        List<String> keys = new ArrayList<>();
        schema.forEach(key -> keys.add(
                key.get("AttributeName").asText() + " " + key.get("KeyType").asText()));
        return keys;
    }

    private static List<String> keys(List<KeySchemaElement> schema) {
        return schema.stream()
                .map(key -> key.attributeName() + " " + key.keyTypeAsString())
                .toList();
    }

    @Test
    void aMissingTableIsRejectedWithTheWayToCreateIt() {
        assertThatThrownBy(() -> DynamoClaimStore.on(client, "no_such_table"))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.kind()).isEqualTo(StoreException.Kind.REJECTED))
                .hasMessageContaining("The table no_such_table or its index does not exist")
                .hasMessageContaining("DynamoMigration")
                .hasMessageContaining("table.template.json");
    }

    /** DynamoDB Local has no global tables. */
    @Test
    void aTableInSeveralRegionsIsRejected() {
        TableDescription global = TableDescription.builder()
                .tableName("claims")
                .replicas(ReplicaDescription.builder().regionName("us-east-1").build())
                .build();

        assertThatThrownBy(() -> DynamoTable.requireOneRegion(global))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("replicated to other regions (us-east-1)")
                .hasMessageContaining("Remove the replicas");
        DynamoTable.requireOneRegion(global.toBuilder().replicas(List.of()).build());
    }

    @Test
    void anotherTableIsRejected() {
        client.createTable(table -> table.tableName("not_ours")
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

        assertThatThrownBy(() -> DynamoClaimStore.on(client, "not_ours"))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("not_ours is not one of Semel's claims");
    }
}

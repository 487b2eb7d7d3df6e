// SPDX-License-Identifier: Apache-2.0
package dev.semel.dynamodb;

import static dev.semel.dynamodb.Claimed.applied;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.semel.claim.StoreException;
import dev.semel.claim.StoreException.Kind;
import dev.semel.dynamodb.DynamoMigration.Step;
import dev.semel.spi.ClaimBrowser.Query;
import dev.semel.spi.ClaimEntry;
import dev.semel.spi.Command;
import dev.semel.testkit.Commands;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndexDescription;
import software.amazon.awssdk.services.dynamodb.model.ProvisionedThroughput;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;

class DynamoMigrationTest {
    private static final RequestLog LOG = new RequestLog();
    private static DynamoDbAsyncClient client;

    private final String table = "migrated-" + UUID.randomUUID();
    private final DynamoMigration migration = DynamoMigration.of(client, table);

    @BeforeAll
    static void open() {
        client = DynamoAccess.client(LOG);
    }

    @AfterAll
    static void close() {
        client.close();
    }

    private TableDescription described() {
        return client.describeTable(request -> request.tableName(table)).join().table();
    }

    @Test
    void aMissingTableIsCreated() {
        List<Step> plan = migration.plan();
        assertThat(plan).extracting(Step::action).containsExactly("dynamodb:CreateTable", "dynamodb:UpdateTimeToLive");
        assertThat(plan.get(0).description())
                .isEqualTo("create the table %s with the indexes due and listed".formatted(table));
        assertThat(migration.plan()).as("a plan changes nothing").isEqualTo(plan);

        assertThat(migration.run()).isEqualTo(plan);
        assertThat(migration.plan()).isEmpty();
        LOG.taken();
        assertThat(migration.run()).isEmpty();
        assertThat(LOG.taken().keySet()).containsExactly("DescribeTable", "DescribeTimeToLive");
        applied(DynamoClaimStore.on(client, table), Commands.insert(Claimed.newRef()));
    }

    /** Every row has the attributes of the index, so that it can be added later. */
    @Test
    void aTableWithoutListsGetsThemAndShowsTheClaimsThatExist() {
        assertThat(migration.withoutLists().run()).hasSize(2);
        assertThat(migration.withoutLists().plan()).isEmpty();
        DynamoClaimStore store = DynamoClaimStore.on(client, table).withRequestTimeout(DynamoAccess.PATIENT);
        Command.Insert claim = Commands.insert(Claimed.newRef(), List.of(Claimed.newRef()));
        applied(store, claim);
        assertThatThrownBy(() -> store.page(Query.of("tenant", 10))).hasMessageContaining("has no index \"listed\"");

        assertThat(migration.run())
                .containsExactly(
                        new Step("dynamodb:UpdateTable", "add the index listed to the table %s".formatted(table)));

        assertThat(store.page(Query.of("tenant", 10)).entries())
                .as("without a new start of the process")
                .extracting(ClaimEntry::ref)
                .containsExactly(claim.ref());
        assertThat(migration.plan()).isEmpty();
    }

    @Test
    void anIndexOfATableWithReservedCapacityGetsTheSame() {
        CreateTableRequest whole = DynamoTable.definition(table, false);
        ProvisionedThroughput reserved = ProvisionedThroughput.builder()
                .readCapacityUnits(7L)
                .writeCapacityUnits(9L)
                .build();
        List<GlobalSecondaryIndex> indexes = whole.globalSecondaryIndexes().stream()
                .map(index -> index.toBuilder().provisionedThroughput(reserved).build())
                .toList();
        client.createTable(whole.toBuilder()
                        .billingMode(BillingMode.PROVISIONED)
                        .provisionedThroughput(reserved)
                        .globalSecondaryIndexes(indexes)
                        .build())
                .join();

        migration.run();

        GlobalSecondaryIndexDescription added =
                Objects.requireNonNull(DynamoTable.indexOf(described(), DynamoTable.LISTED));
        assertThat(added.provisionedThroughput().writeCapacityUnits()).isEqualTo(9);
    }

    @Test
    void anotherTableIsRejectedAndNotChanged() {
        Accounts.creating(client, table);
        assertRejected("is not one of Semel's claims: its key differs");
    }

    @Test
    void anIndexThatDiffersIsRejectedAndNotChanged() {
        CreateTableRequest whole = DynamoTable.definition(table, false);
        GlobalSecondaryIndex due = whole.globalSecondaryIndexes().get(0);
        client.createTable(whole.toBuilder()
                        .globalSecondaryIndexes(due.toBuilder()
                                .keySchema(
                                        due.keySchema().get(0),
                                        due.keySchema().get(1).toBuilder()
                                                .attributeName("other")
                                                .build())
                                .build())
                        .attributeDefinitions(
                                whole.attributeDefinitions().get(0),
                                whole.attributeDefinitions().get(1),
                                whole.attributeDefinitions().get(2).toBuilder()
                                        .attributeName("other")
                                        .build())
                        .build())
                .join();
        assertRejected("its index \"due\" differs");
    }

    @Test
    void aTimeToLiveByAnotherAttributeIsRejectedAndNotChanged() {
        client.createTable(DynamoTable.definition(table, true)).join();
        client.updateTimeToLive(request -> request.tableName(table)
                        .timeToLiveSpecification(ttl -> ttl.enabled(true).attributeName("expires_at")))
                .join();
        assertRejected("is on by the attribute expires_at, but Semel's is ttl_at: turn it off");
    }

    private void assertRejected(String why) {
        TableDescription before = described();
        for (Runnable call : List.<Runnable>of(migration::plan, migration::run)) {
            assertThatThrownBy(call::run)
                    .isInstanceOfSatisfying(
                            StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.REJECTED))
                    .hasMessageContaining(why);
        }
        assertThat(described()).isEqualTo(before);
    }

    @Test
    void severalProcessesMigrateAtOnce() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<List<Step>>> all = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                all.add(threads.submit(migration::run));
            }
            List<Step> created = new ArrayList<>();
            for (Future<List<Step>> one : all) {
                one.get().stream()
                        .filter(step -> step.action().equals("dynamodb:CreateTable"))
                        .forEach(created::add);
            }
            assertThat(created).as("one of them created it").hasSize(1);
            assertThat(migration.plan()).isEmpty();
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void theTemplateInTheJarIsTheOneThatIsPrinted() throws Exception {
        try (InputStream content = DynamoTable.class.getClassLoader().getResourceAsStream(DynamoTable.TEMPLATE)) {
            assertThat(DynamoMigration.of(client).template())
                    .isEqualTo(new String(content.readAllBytes(), StandardCharsets.UTF_8));
        }
        JsonNode without = new ObjectMapper().readTree(migration.withoutLists().template());
        assertThat(without.at("/Parameters/TableName/Default").asText()).isEqualTo(table);
        assertThat(without.at("/Resources/Claims/Properties/GlobalSecondaryIndexes"))
                .hasSize(1);
        assertThat(without.at("/Resources/Claims/Properties/AttributeDefinitions"))
                .hasSize(3);
    }
}

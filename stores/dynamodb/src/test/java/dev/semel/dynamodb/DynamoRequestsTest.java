// SPDX-License-Identifier: Apache-2.0
package dev.semel.dynamodb;

import static dev.semel.dynamodb.Claimed.applied;
import static dev.semel.dynamodb.Claimed.newRef;
import static dev.semel.dynamodb.Claimed.read;
import static dev.semel.dynamodb.Claimed.refused;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.semel.Codec;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.Semel;
import dev.semel.claim.ClaimRef;
import dev.semel.claim.Status;
import dev.semel.claim.StoredResult;
import dev.semel.key.Secrets;
import dev.semel.spi.ClaimBrowser.Query;
import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import dev.semel.testkit.Commands;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** What a claim costs: the requests that are really sent. */
class DynamoRequestsTest {
    private static final String TABLE = "requests";
    private static final Duration PAST_TTL = Duration.ofDays(2);

    private static final RequestLog LOG = new RequestLog();
    private static DynamoDbAsyncClient client;
    private static DynamoDbAsyncClient silent;
    private static DynamoClaimStore store;

    @BeforeAll
    static void open() {
        client = DynamoAccess.client(LOG);
        silent = DynamoAccess.client();
        DynamoClaimStore.creating(silent, TABLE);
        store = DynamoClaimStore.on(client, TABLE).withRequestTimeout(DynamoAccess.PATIENT);
    }

    @AfterAll
    static void close() {
        client.close();
        silent.close();
    }

    @BeforeEach
    void forgetEarlierRequests() {
        LOG.taken();
    }

    @Test
    void aFirstTimeClaimWithItsSettlementIsTwoWrites() {
        Command.Insert insert = Commands.insert(newRef());
        applied(store, insert);
        applied(store, settle(insert, new byte[300]));

        assertThat(LOG.taken()).isEqualTo(Map.of("PutItem", 1, "UpdateItem", 1));
    }

    @Test
    void aDuplicateIsOneFailedCondition() {
        Command.Insert insert = Commands.insert(newRef());
        applied(store, insert);
        applied(store, settle(insert, new byte[300]));
        LOG.taken();

        assertThat(refused(store, Commands.insert(insert.ref())).result()).isNotNull();

        assertThat(LOG.taken()).isEqualTo(Map.of("PutItem", 1));
    }

    /** Apart from the epoch, which is read once a second while the cache is in use. */
    @Test
    void aReplayFromTheCacheIsNoRequest() {
        Operation<String> operation = Operation.of("requests", Codec.text());
        RequestLog log = new RequestLog();
        try (DynamoDbAsyncClient cached = DynamoAccess.client(log);
                Semel semel = Semel.on(DynamoClaimStore.on(cached, TABLE))
                        .secrets(Secrets.of("a secret of this test only, long enough"))
                        .withoutSweep()
                        .build()) {
            semel.execute(operation, operation.key("tenant", "cached"), claim -> "done");
            semel.execute(operation, operation.key("tenant", "cached"), claim -> "again");
            log.taken();
            for (int i = 0; i < 100; i++) {
                assertThat(semel.execute(operation, operation.key("tenant", "cached"), claim -> "again"))
                        .isInstanceOf(Outcome.Succeeded.class);
            }
            Map<String, Integer> requests = log.taken();

            assertThat(requests.keySet()).isSubsetOf("GetItem");
            assertThat(requests.getOrDefault("GetItem", 0)).isLessThan(10);
        }
    }

    @Test
    void aRenewalIsOneWriteAndAReadIsOneRead() {
        Command.Insert insert = Commands.insert(newRef());
        applied(store, insert);
        LOG.taken();

        applied(store, new Command.Renew(insert.ref(), insert.token(), Duration.ofMinutes(5)));
        assertThat(LOG.taken()).isEqualTo(Map.of("UpdateItem", 1));

        read(store, insert.ref());
        assertThat(LOG.taken()).isEqualTo(Map.of("GetItem", 1));
    }

    @Test
    void manyReadsAreOneRequestForAHundred() {
        List<Command.Insert> inserts =
                Stream.generate(() -> Commands.insert(newRef())).limit(150).toList();
        store.apply(inserts);
        LOG.taken();

        assertThat(store.read(inserts.stream().map(Command::ref).toList())).hasSize(150);
        assertThat(LOG.taken()).isEqualTo(Map.of("BatchGetItem", 2));
    }

    @Test
    void aTakeOverIsOneReadAndOneWrite() {
        Command.Insert insert = Commands.insert(newRef());
        applied(store, insert);
        DynamoAccess.age(silent, TABLE, insert.ref(), Duration.ofHours(1));
        Snapshot lapsed = read(store, insert.ref());
        LOG.taken();

        applied(store, Commands.takeOver(lapsed));

        assertThat(LOG.taken()).isEqualTo(Map.of("GetItem", 1, "UpdateItem", 1));
    }

    @Test
    void aClaimWithAnAliasIsOneReadAndOneTransaction_aDuplicateOneRead() {
        ClaimRef a = newRef();
        ClaimRef b = newRef();
        applied(store, Commands.insert(a, List.of(b)));
        assertThat(LOG.taken()).isEqualTo(Map.of("BatchGetItem", 1, "TransactWriteItems", 1));

        refused(store, Commands.insert(a, List.of(b)));
        assertThat(LOG.taken()).isEqualTo(Map.of("BatchGetItem", 1));
    }

    /** Everything that the store does, on one claim each. The policy allows that, and nothing more. */
    @Test
    void thePolicyAllowsTheActionsThatAreReallyNeeded() throws IOException {
        RequestLog all = new RequestLog();
        try (DynamoDbAsyncClient logged = DynamoAccess.client(all)) {
            DynamoClaimStore other = DynamoClaimStore.on(logged, TABLE).withRequestTimeout(DynamoAccess.PATIENT);
            ClaimRef a = newRef();
            ClaimRef b = newRef();
            ClaimRef c = newRef();
            Command.Insert insert = Commands.insert(a, List.of(b));
            applied(other, insert);
            applied(other, new Command.Renew(a, insert.token(), Duration.ofMinutes(1)));
            applied(other, settle(insert, new byte[DynamoChunks.SIZE + 1]));
            read(other, b);
            DynamoAccess.age(silent, TABLE, a, PAST_TTL);
            applied(other, Commands.takeOver(read(other, b)));
            refused(other, Commands.insert(c, List.of(a, b)));
            Command.Insert swept = Commands.insert(newRef());
            applied(other, swept);
            applied(other, settle(swept, new byte[DynamoChunks.INLINE + 1]));
            DynamoAccess.age(silent, TABLE, swept.ref(), PAST_TTL);
            while (other.sweep(100).more()) {
                // Until all is swept.
            }
            other.advance();
            assertThat(other.page(Query.of(a.tenant(), 10)).entries()).isNotEmpty();
            other.onlyFoundBy("any");
        }
        Set<String> actions = all.actions().keySet().stream()
                .map(action -> "dynamodb:" + action)
                .collect(Collectors.toSet());
        JsonNode statements = json(DynamoTable.POLICY).get("Statement");

        assertThat(new TreeSet<>(actions)).isEqualTo(allowed(statements));
        assertThat(statements.get(0).get("Resource").asText()).endsWith("table/" + DynamoClaimStore.TABLE);
        assertThat(statements.get(1).get("Resource").asText()).endsWith("/index/" + DynamoTable.DUE);
        assertThat(statements.get(2).get("Resource").asText()).endsWith("/index/" + DynamoTable.LISTED);
        assertThat(statements.get(3).get("Resource").asText()).endsWith("table/" + DynamoClaimStore.TABLE);
    }

    private static Set<String> allowed(JsonNode statements) {
        Set<String> allowed = new TreeSet<>();
        for (JsonNode statement : statements) {
            JsonNode action = statement.get("Action");
            if (action.isTextual()) {
                allowed.add(action.asText());
            } else {
                action.forEach(each -> allowed.add(each.asText()));
            }
        }
        return allowed;
    }

    private static JsonNode json(String resource) throws IOException {
        try (InputStream content = DynamoTable.class.getClassLoader().getResourceAsStream(resource)) {
            return new ObjectMapper().readTree(content);
        }
    }

    private static Command.Settle settle(Command.Insert insert, byte[] result) {
        return new Command.Settle(
                insert.ref(), insert.token(), Status.SUCCEEDED, new StoredResult("application/zip", result), null);
    }
}

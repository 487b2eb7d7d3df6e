// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Codec;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.Semel;
import dev.semel.claim.Status;
import dev.semel.key.Secrets;
import dev.semel.spi.Snapshot;
import dev.semel.testservers.PostgresServer;
import dev.semel.testservers.SilentNetwork;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Row 10 of docs/failures.md: the connection becomes silent at a commit, and its outcome is unknown. */
class FrozenCommitTest {
    /** Each write is its own transaction and commits when it ends. */
    private static final Pattern WRITE = Pattern.compile("(INSERT INTO|UPDATE) idempotency_keys");

    private static final Operation<String> OPERATION = Operation.of("any", Codec.text());

    @ParameterizedTest
    @CsvSource({"1, AFTER_COMMIT", "1, BEFORE_COMMIT", "2, AFTER_COMMIT", "2, BEFORE_COMMIT"})
    void row10_theSameCommandAgainFindsTheRightOwner(int silentCommit, SilentNetwork.At at) throws Exception {
        PostgresServer server = PostgresServer.shared();
        try (ClaimDatabase database = ClaimDatabase.postgres(server);
                SilentNetwork network = new SilentNetwork(server, WRITE)) {
            String through = database.through(network);
            JdbcClaimStore store = JdbcClaimStore.migrating(database.pool(4));
            JdbcClaimStore behindTheNetwork =
                    JdbcClaimStore.on(database.hastyPool(through, 4)).withStatementTimeout(Duration.ofMillis(400));
            try (Semel semel = Semel.on(behindTheNetwork)
                    .secrets(Secrets.of("0123456789abcdef0123456789abcdef"))
                    .storeTimeout(Duration.ofSeconds(20))
                    .build()) {
                AtomicInteger runs = new AtomicInteger();
                String key = UUID.randomUUID().toString();
                network.fallSilentAtCommit(silentCommit, at);

                Outcome<String> outcome = semel.execute(
                        OPERATION,
                        OPERATION.key("acme", key),
                        run -> "attempt " + run.attempt() + " run " + runs.incrementAndGet());

                assertThat(network.isSilent()).as("the network became silent").isTrue();
                assertThat(outcome).isEqualTo(new Outcome.Succeeded<>("attempt 1 run 1", false));
                Snapshot stored = store.read(List.of(semel.refOf(OPERATION.key("acme", key))))
                        .get(semel.refOf(OPERATION.key("acme", key)));
                assertThat(stored.status()).isEqualTo(Status.SUCCEEDED);
                assertThat(stored.attempt()).isEqualTo(1);
                assertThat(semel.execute(
                                OPERATION, OPERATION.key("acme", key), run -> "again " + runs.incrementAndGet()))
                        .isEqualTo(new Outcome.Succeeded<>("attempt 1 run 1", true));
                assertThat(runs).hasValue(1);
            }
        }
    }
}

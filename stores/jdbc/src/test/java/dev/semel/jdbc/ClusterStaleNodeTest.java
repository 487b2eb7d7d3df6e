// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Digest;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.OwnerToken;
import dev.semel.claim.RecordId;
import dev.semel.claim.Status;
import dev.semel.claim.StoreException;
import dev.semel.claim.Terms;
import dev.semel.spi.Command;
import dev.semel.spi.Verdict;
import dev.semel.testservers.MySqlCluster;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A primary that has not yet applied what another one has committed. A settlement that finds no row of its owner writes nothing, so
 * no certification can refuse it: without consistent reads its owner would be told that it has lost the claim, and the work would
 * run again.
 */
@Tag("cluster")
class ClusterStaleNodeTest {
    private static MySqlCluster cluster;
    private static ClusterDatabase database;

    @BeforeAll
    static void open() {
        // One thread, so that a transaction that waits holds back all later ones.
        cluster = MySqlCluster.start(
                MySqlCluster.Mode.SEVERAL_PRIMARIES, Map.of("replica_parallel_workers", "1"), Map.of());
        database = ClusterDatabase.of(cluster);
        database.claims().execute("CREATE TABLE held_back (id INT PRIMARY KEY)");
        cluster.awaitApplied(0);
    }

    @AfterAll
    static void close() throws Exception {
        database.close();
        cluster.close();
    }

    @Test
    void aSettlementIsNotRefusedByANodeThatHasNotSeenTheClaim() throws SQLException {
        JdbcClaimStore first = JdbcClaimStore.on(database.pool(0, 2));
        JdbcClaimStore late = JdbcClaimStore.on(database.pool(1, 2)).withStatementTimeout(Duration.ofMillis(500));
        Command.Insert claim = insert();
        Command.Settle settlement = settlement(claim);

        try (Late node = new Late(1)) {
            assertThat(first.apply(List.of(claim)).get(0)).isInstanceOf(Verdict.Applied.class);

            // It is not answered before the node has seen the claim, and so never with a refusal.
            assertThat(late.apply(List.of(settlement)).get(0)).isInstanceOf(Verdict.Errored.class);
            assertThatThrownBy(() -> late.read(List.of(claim.ref()))).isInstanceOf(StoreException.class);
        }

        assertThat(late.apply(List.of(settlement)).get(0)).isInstanceOf(Verdict.Applied.class);
        assertThat(first.read(List.of(claim.ref())).get(claim.ref()).status()).isEqualTo(Status.SUCCEEDED);
    }

    @Test
    void withStaleReadsTheSettlementWouldBeRefused() throws SQLException {
        JdbcClaimStore first = JdbcClaimStore.on(database.pool(0, 2));
        // The only connection, which is changed after the store has checked it.
        DataSource only = database.pool(1, 1);
        JdbcClaimStore late = JdbcClaimStore.on(only);
        try (Connection connection = only.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("SET SESSION group_replication_consistency = 'EVENTUAL'");
        }
        Command.Insert claim = insert();

        try (Late node = new Late(1)) {
            assertThat(first.apply(List.of(claim)).get(0)).isInstanceOf(Verdict.Applied.class);

            assertThat(late.apply(List.of(settlement(claim))).get(0)).isEqualTo(new Verdict.Refused(null));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"EVENTUAL", "BEFORE_ON_PRIMARY_FAILOVER", "AFTER"})
    void aStoreWithStaleReadsIsRefused(String consistency) {
        DataSource stale = consistent(1, consistency);

        assertThatThrownBy(() -> JdbcClaimStore.on(stale))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining(consistency)
                .hasMessageContaining("group_replication_consistency='BEFORE'");
    }

    @Test
    void withOnePrimaryTheReadsMustOnlyBeConsistentAfterAFailover() throws Exception {
        MySqlCluster shared = MySqlCluster.shared(MySqlCluster.Mode.ONE_PRIMARY);
        try (ClusterDatabase single = ClusterDatabase.of(shared)) {
            int primary = single.writable()[0];

            assertThat(JdbcClaimStore.on(single.pool(primary, 1))).isNotNull();
            assertThatThrownBy(() -> JdbcClaimStore.on(
                            single.pool(primary, 1, "?sessionVariables=group_replication_consistency='EVENTUAL'")))
                    .hasMessageContaining("group_replication_consistency='BEFORE_ON_PRIMARY_FAILOVER'");
        }
    }

    private static DataSource consistent(int node, String consistency) {
        return database.pool(node, 1, "?sessionVariables=group_replication_consistency='%s'".formatted(consistency));
    }

    /** Holds back everything that is committed elsewhere while it is open: the first transaction waits for a locked table. */
    private static final class Late implements AutoCloseable {
        private static int rows;
        private final Connection locking;

        Late(int node) throws SQLException {
            locking = consistent(node, "EVENTUAL").getConnection();
            try (Statement statement = locking.createStatement()) {
                statement.execute("LOCK TABLES held_back READ");
            }
            try (Connection other = database.pool(0, 1).getConnection();
                    Statement statement = other.createStatement()) {
                statement.execute("INSERT INTO held_back VALUES (%d)".formatted(++rows));
            }
        }

        @Override
        public void close() throws SQLException {
            try (Statement statement = locking.createStatement()) {
                statement.execute("UNLOCK TABLES");
            }
            locking.close();
        }
    }

    private static Command.Insert insert() {
        byte[] bytes = new byte[Digest.LENGTH];
        System.arraycopy(UUID.randomUUID().toString().getBytes(StandardCharsets.US_ASCII), 0, bytes, 0, bytes.length);
        return new Command.Insert(
                new ClaimRef("acme", new Digest(bytes)),
                "pay",
                "secret",
                OwnerToken.random(),
                RecordId.random(),
                Fingerprint.NONE,
                Terms.DEFAULT);
    }

    private static Command.Settle settlement(Command.Insert claim) {
        return new Command.Settle(claim.ref(), claim.token(), Status.SUCCEEDED, null, null);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.claim.ClaimRef;
import dev.semel.claim.Status;
import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import dev.semel.spi.Verdict;
import dev.semel.testkit.Commands;
import dev.semel.testservers.DatabaseKind;
import dev.semel.testservers.EachDatabase;
import dev.semel.testservers.PostgresServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * Two stores with expired leases take over each other's claims and settle their own, in one batch each. Each kind of
 * command is sorted by digest, but across the kinds the batches lock in opposite orders. There is no deadlock.
 */
@Isolated("counts the deadlocks of a whole server")
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CrossingKindsTest {
    private static final int ROUNDS = 20;
    private static final int KEYS = 40;

    @Test
    void row13_onPostgres() throws Exception {
        try (ClaimDatabase database = ClaimDatabase.postgres(PostgresServer.shared())) {
            // The server detects deadlocks after this time. The default is later than the lock wait of a batch.
            String name = single(database, "SELECT current_database()");
            database.execute("ALTER DATABASE %s SET deadlock_timeout = '2ms'".formatted(name));
            crossing(database, "lease_until - interval '1 hour'");
            // A session reports its counters when it ends.
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> single(
                                    database,
                                    "SELECT numbackends FROM pg_stat_database WHERE datname = '%s'".formatted(name))
                            .equals("1"));
            assertThat(single(database, "SELECT deadlocks FROM pg_stat_database WHERE datname = '%s'".formatted(name)))
                    .isEqualTo("0");
        }
    }

    @ParameterizedTest
    @EachDatabase(except = {DatabaseKind.POSTGRESQL, DatabaseKind.SQLITE})
    void row13_onMariaDbAndMySql(DatabaseKind kind) throws Exception {
        try (ClaimDatabase database = ClaimDatabase.on(kind.sharedServer())) {
            String deadlocks = kind == DatabaseKind.MYSQL
                    ? "SELECT count FROM information_schema.innodb_metrics WHERE name = 'lock_deadlocks'"
                    : "SELECT variable_value FROM information_schema.global_status"
                            + " WHERE variable_name = 'INNODB_DEADLOCKS'";
            String before = single(database, deadlocks);
            crossing(database, "lease_until - INTERVAL 1 HOUR");
            assertThat(single(database, deadlocks)).isEqualTo(before);
        }
    }

    private static void crossing(ClaimDatabase database, String anHourAgo) throws Exception {
        try (HikariDataSource firstPool = (HikariDataSource) database.pool(2);
                HikariDataSource secondPool = (HikariDataSource) database.pool(2)) {
            JdbcClaimStore first = JdbcClaimStore.migrating(firstPool);
            JdbcClaimStore second = JdbcClaimStore.on(secondPool);
            for (int round = 0; round < ROUNDS; round++) {
                String tenant = "round-" + round;
                List<ClaimRef> refs = IntStream.range(0, 2 * KEYS)
                        .mapToObj(number -> CrossingLanes.ref(tenant, number))
                        .toList();
                List<Verdict> claimed =
                        first.apply(refs.stream().map(Commands::insert).toList());
                assertThat(claimed).allMatch(Verdict.Applied.class::isInstance);
                database.execute("UPDATE idempotency_keys SET lease_until = " + anHourAgo);
                List<Snapshot> claims = new ArrayList<>(first.read(refs).values());
                CyclicBarrier start = new CyclicBarrier(2);
                CompletableFuture<List<Verdict>> one =
                        CompletableFuture.supplyAsync(() -> applied(start, first, crossing(claims, 0)));
                CompletableFuture<List<Verdict>> other =
                        CompletableFuture.supplyAsync(() -> applied(start, second, crossing(claims, 1)));
                assertThat(one.get()).noneMatch(Verdict.Errored.class::isInstance);
                assertThat(other.get()).noneMatch(Verdict.Errored.class::isInstance);
                assertThat(first.read(refs).values())
                        .allMatch(claim -> claim.status() == Status.SUCCEEDED || claim.attempt() == 2);
            }
        }
    }

    /** Every second claim belongs to this store. */
    private static List<Command> crossing(List<Snapshot> claims, int own) {
        List<Command> batch = new ArrayList<>();
        for (Snapshot claim : claims) {
            boolean even = claim.ref().digest().bytes()[3] % 2 == own;
            batch.add(even ? Commands.settle(claim, Status.SUCCEEDED, "done") : Commands.takeOver(claim));
        }
        return batch;
    }

    private static List<Verdict> applied(CyclicBarrier start, JdbcClaimStore store, List<Command> batch) {
        try {
            start.await();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        return store.apply(batch);
    }

    private static String single(ClaimDatabase database, String sql) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }
}

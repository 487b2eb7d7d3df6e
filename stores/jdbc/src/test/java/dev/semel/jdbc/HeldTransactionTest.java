// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Codec;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.Semel;
import dev.semel.claim.ClaimKey;
import dev.semel.key.Secrets;
import dev.semel.testservers.DatabaseKind;
import dev.semel.testservers.EachDatabase;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * Row 13a with real waits: a user's transactions stay open for 30 seconds of the database's clock, and the engine's
 * calls are not delayed. Slow, so it only runs in the profile {@code slow}.
 */
@Tag("slow")
@Timeout(180)
class HeldTransactionTest {
    private static final Operation<String> PAY = Operation.of("pay", Codec.text());
    private static final long HELD_MICROS = TimeUnit.SECONDS.toMicros(30);
    private static final int AT_ONCE = 50;

    @TempDir
    private Path folder;

    /** SQLite has one writer: there, an open transaction that has written delays all others. */
    @ParameterizedTest
    @EachDatabase(except = DatabaseKind.SQLITE)
    void row13a_aTransactionThatIsHeldForThirtySecondsDelaysNoLane(DatabaseKind kind) throws Exception {
        ClaimKey held = PAY.key("acme", "held");
        ClaimKey heldByTwoNames = PAY.key("acme", "held by two keys");
        try (ClaimDatabase database = ClaimDatabase.of(kind, folder.resolve("claims.db"))) {
            JdbcClaimStore store = database.store(4);
            Effects effects = Effects.in(database);
            TransactionalClaims claims = TransactionalClaims.on(store, Secrets.of(RotationSteps.OLD));
            TransactionalClaims rotating = TransactionalClaims.on(store, RotationSteps.STEPS.get(RotationSteps.ADDED));
            try (Semel semel = Semel.on(store)
                            .secrets(Secrets.of(RotationSteps.OLD))
                            .build();
                    Connection connection = database.connect();
                    Connection clock = database.connect()) {
                connection.setAutoCommit(false);
                write(claims, connection, held);
                write(rotating, connection, heldByTwoNames);

                long end = micros(clock, store) + HELD_MICROS;
                int calls = 0;
                while (micros(clock, store) < end) {
                    int from = calls;
                    List<CompletableFuture<Outcome<String>>> running = IntStream.range(from, from + AT_ONCE)
                            .mapToObj(i -> semel.executeAsync(
                                            PAY,
                                            PAY.key("acme", "key-" + i),
                                            run -> CompletableFuture.completedFuture("leased"))
                                    .toCompletableFuture())
                            .toList();
                    // All calls end while the transaction is open. Otherwise this would wait forever.
                    assertThat(running).allMatch(call -> call.join().equals(new Outcome.Succeeded<>("leased", false)));
                    calls += AT_ONCE;
                    assertThat(semel.execute(PAY, held, run -> "leased").orElseThrow())
                            .as("the same key through the engine is another claim")
                            .isEqualTo("leased");
                }

                assertThat(inTransaction(claims, held)).isInstanceOf(Outcome.InProgress.class);
                assertThat(inTransaction(rotating, heldByTwoNames)).isInstanceOf(Outcome.InProgress.class);
                assertThat(effects.counts()).as("before the commit").isEmpty();
                connection.commit();
                assertThat(inTransaction(claims, held)).isEqualTo(new Outcome.Succeeded<>("held", true));
                assertThat(inTransaction(rotating, heldByTwoNames)).isEqualTo(new Outcome.Succeeded<>("held", true));
                assertThat(effects.counts()).isEqualTo(Map.of("held", 2));
                assertThat(calls).as("calls while the transaction was open").isGreaterThan(10 * AT_ONCE);
            }
        }
    }

    private static void write(TransactionalClaims claims, Connection connection, ClaimKey key) {
        assertThat(claims.execute(connection, PAY, key, run -> {
                    Effects.add(connection, "held");
                    return "held";
                }))
                .isEqualTo(new Outcome.Succeeded<>("held", false));
    }

    private static Outcome<String> inTransaction(TransactionalClaims claims, ClaimKey key) {
        return claims.inTransaction(PAY, key, (connection, run) -> "another");
    }

    private static long micros(Connection connection, JdbcClaimStore store) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row =
                        statement.executeQuery("SELECT " + store.dialect().nowInMicros())) {
            row.next();
            return row.getLong(1);
        }
    }
}

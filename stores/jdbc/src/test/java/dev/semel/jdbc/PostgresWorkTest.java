// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Outcome;
import dev.semel.key.Secrets;
import dev.semel.testservers.DatabaseKind;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/** On PostgreSQL, the settlement is sent together with the commit. What fails is still told apart. */
class PostgresWorkTest extends TransactionalCase {
    PostgresWorkTest() {
        super(DatabaseKind.POSTGRESQL);
    }

    @Test
    void withoutItsClaimNothingIsCommitted() {
        assertThatThrownBy(() -> claims.inTransaction(PAY, KEY, (connection, run) -> {
                    Effects.add(connection, "effect");
                    execute(connection, "DELETE FROM idempotency_keys");
                    return "paid";
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no longer in its transaction");

        assertThat(effects.counts()).isEmpty();
        assertThat(effects.claims()).isEmpty();
    }

    @Test
    void aSettlementThatFailsIsNoFailedCommit() {
        database.execute("CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS"
                + " $$ BEGIN RAISE EXCEPTION USING ERRCODE = '23514'; END $$");
        database.execute(
                "CREATE TRIGGER refuse BEFORE UPDATE ON idempotency_keys FOR EACH ROW EXECUTE FUNCTION refuse()");

        assertThatThrownBy(() -> claims.inTransaction(PAY, KEY, (connection, run) -> {
                    Effects.add(connection, "effect");
                    return "paid";
                }))
                .isInstanceOf(TransactionAbortedException.class);

        assertThat(effects.counts()).isEmpty();
        assertThat(effects.claims()).isEmpty();
    }

    @Test
    void aCommitThatIsRefusedIsAFailureOfTheWork() {
        database.execute("CREATE TABLE pairs (id int PRIMARY KEY REFERENCES pairs (id) DEFERRABLE INITIALLY DEFERRED,"
                + " other int REFERENCES pairs (id) DEFERRABLE INITIALLY DEFERRED)");

        Outcome<String> outcome = claims.inTransaction(PAY, KEY, (connection, run) -> {
            Effects.add(connection, "effect");
            execute(connection, "INSERT INTO pairs VALUES (1, 2)");
            return "paid";
        });

        assertThat(outcome)
                .isInstanceOfSatisfying(
                        Outcome.Retryable.class,
                        failed -> assertThat(failed.cause()).isInstanceOf(SQLException.class));
        assertThat(effects.counts()).isEmpty();
        assertThat(effects.claims()).isEmpty();
    }

    /** The message of a constraint contains the data that it refuses. */
    @Test
    void aRefusedCommitIsNotTakenForALostClaim() {
        database.execute("CREATE TABLE orders (name text UNIQUE DEFERRABLE INITIALLY DEFERRED)");
        database.execute("INSERT INTO orders VALUES ('semel.claim_lost')");

        Outcome<String> outcome = claims.inTransaction(PAY, KEY, (connection, run) -> {
            execute(connection, "INSERT INTO orders VALUES ('semel.claim_lost')");
            return "paid";
        });

        assertThat(outcome).isInstanceOf(Outcome.Retryable.class);
        assertThat(effects.claims()).isEmpty();
    }

    /** A transaction that began without the driver would not be read-only. */
    @Test
    void onAReadOnlyConnectionNothingIsWritten() throws SQLException {
        Connection readOnly = database.closing(database.connect());
        readOnly.setReadOnly(true);
        TransactionalClaims onReadOnly = TransactionalClaims.on(
                new SingleConnectionDataSource(readOnly, true), Secrets.of("0123456789abcdef0123456789abcdef"));

        Outcome<String> outcome = onReadOnly.inTransaction(PAY, KEY, (connection, run) -> "paid");

        assertThat(outcome).isInstanceOf(Outcome.Unavailable.class);
        assertThat(effects.claims()).isEmpty();
    }

    /** All savepoints have the same name. */
    @Test
    void workIsUndoneWholly_afterANestedClaimOfEachKind() {
        claims.inTransaction(PAY, PAY.key("acme", "done"), (connection, run) -> "done");

        claims.inTransaction(PAY, KEY, (connection, run) -> {
            Effects.add(connection, "before");
            for (String key : new String[] {"done", "fresh", "bad"}) {
                claims.execute(connection, PAY, PAY.key("acme", key), nested -> {
                    Effects.add(connection, key);
                    if (key.equals("bad")) {
                        throw new IllegalArgumentException(key);
                    }
                    return key;
                });
            }
            Effects.add(connection, "after");
            throw new IllegalArgumentException("the outer work fails");
        });

        assertThat(effects.counts()).isEmpty();
        assertThat(effects.claims()).isEqualTo(Map.of("SUCCEEDED", 1, "RETRYABLE", 1));
    }

    @Test
    void workIsUndoneWholly_afterANestedClaimThatCouldNotBeSettled() {
        Outcome<String> outcome =
                claims.inTransaction(PAY, KEY, (connection, run) -> withAnAbortedClaim(claims, connection));

        assertThat(outcome).isInstanceOf(Outcome.Retryable.class);
        assertThat(effects.counts()).isEmpty();
        assertThat(effects.claims()).isEqualTo(Map.of("RETRYABLE", 1));
    }

    @Test
    void workInTheCallersTransactionIsUndoneWholly_afterANestedClaimOfOthersThatCouldNotBeSettled()
            throws SQLException {
        TransactionalClaims others = TransactionalClaims.on(store, Secrets.of("fedcba9876543210fedcba9876543210"));
        Connection connection = begin();
        try {
            Effects.add(connection, "the caller's own");
            Outcome<String> outcome =
                    claims.execute(connection, PAY, KEY, run -> withAnAbortedClaim(others, connection));
            assertThat(outcome).isInstanceOf(Outcome.Retryable.class);
            connection.commit();
        } finally {
            end(connection);
        }

        assertThat(effects.counts()).isEqualTo(Map.of("the caller's own", 1));
        assertThat(effects.claims()).isEqualTo(Map.of("RETRYABLE", 1));
    }

    @Test
    void workIsUndoneWholly_afterAClaimOnAnotherThreadThatCouldNotBeSettled() {
        Outcome<String> outcome = claims.inTransaction(
                PAY,
                KEY,
                (connection, run) -> CompletableFuture.supplyAsync(() -> {
                            try {
                                return withAnAbortedClaim(claims, connection);
                            } catch (SQLException e) {
                                throw new IllegalStateException(e);
                            }
                        })
                        .join());

        assertThat(outcome).isInstanceOf(Outcome.Retryable.class);
        assertThat(effects.counts()).isEmpty();
        assertThat(effects.claims()).isEqualTo(Map.of("RETRYABLE", 1));
    }

    /** The inner settlement fails, so its savepoint is not released. */
    private static String withAnAbortedClaim(TransactionalClaims inner, Connection connection) throws SQLException {
        Effects.add(connection, "outer");
        inner.execute(connection, PAY, PAY.key("acme", "inner"), run -> {
            try {
                Effects.add(connection, "poison");
            } catch (SQLException swallowed) {
                // The transaction is aborted.
            }
            return "done";
        });
        return "done";
    }

    @Test
    void nestedClaimsLeaveNoSavepointBehind() throws SQLException {
        claims.inTransaction(PAY, KEY, (connection, run) -> "done");
        Connection connection = begin();

        assertThat(pay(connection, "never").isReplayed()).isTrue();
        claims.execute(connection, PAY, PAY.key("acme", "fresh"), run -> "done");
        claims.execute(connection, PAY, PAY.key("acme", "bad"), run -> {
            throw new IllegalArgumentException("bad");
        });

        assertThatThrownBy(() -> execute(connection, "RELEASE SAVEPOINT semel_work"))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("semel_work");
        end(connection);
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Codec;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.claim.Fingerprint;
import dev.semel.testservers.DatabaseKind;
import dev.semel.testservers.EachDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;

/**
 * The disk of the database is full when a claim in a transaction is stored: nothing is committed, and the caller is told so by
 * an outcome. Found by {@code ./semel torture --store postgresql --seed 200 --faults disk-full}, which got an exception.
 */
@ParameterizedClass
@EachDatabase
class FullDiskTest extends TransactionalCase {
    private static final Operation<byte[]> LARGE = Operation.of("pay", Codec.bytes());
    private static final byte[] RESULT = new byte[1 << 20];

    FullDiskTest(DatabaseKind kind) {
        super(kind);
    }

    /** Large results cannot be stored any more. SQLite has a limit for this, the servers report the error of a full disk. */
    private void fill() throws SQLException {
        switch (kind) {
            case POSTGRESQL -> {
                database.execute("""
                        CREATE FUNCTION disk_is_full() RETURNS trigger LANGUAGE plpgsql AS
                        $$ BEGIN RAISE EXCEPTION 'No space left on device' USING ERRCODE = 'disk_full'; END $$
                        """);
                database.execute("""
                        CREATE TRIGGER disk_is_full BEFORE INSERT ON idempotency_keys
                        FOR EACH ROW EXECUTE FUNCTION disk_is_full()
                        """);
            }
            case MARIADB, MYSQL -> database.execute("""
                    CREATE TRIGGER disk_is_full BEFORE INSERT ON idempotency_keys FOR EACH ROW
                    SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = 1114, MESSAGE_TEXT = 'The table is full'
                    """);
            case SQLITE -> limitPages(1);
        }
    }

    private void makeRoom() throws SQLException {
        switch (kind) {
            case POSTGRESQL -> database.execute("DROP TRIGGER disk_is_full ON idempotency_keys");
            case MARIADB, MYSQL -> database.execute("DROP TRIGGER disk_is_full");
            case SQLITE -> limitPages(Integer.MAX_VALUE - 1);
        }
    }

    /** SQLite never goes below what the file has. */
    private void limitPages(int pages) throws SQLException {
        try (Connection connection = store.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA max_page_count = " + pages);
        }
    }

    private static byte[] pay(Connection connection) throws SQLException {
        Effects.add(connection, "paid");
        return RESULT;
    }

    @Test
    void aTransactionThatCannotBeStoredIsUnavailable() throws SQLException {
        fill();

        assertThat(claims.inTransaction(LARGE, KEY, (connection, run) -> pay(connection)))
                .isInstanceOf(Outcome.Unavailable.class);
        assertThat(effects.counts()).isEmpty();

        makeRoom();
        assertThat(claims.inTransaction(LARGE, KEY, (connection, run) -> pay(connection)))
                .isInstanceOf(Outcome.Succeeded.class);
        assertThat(effects.counts()).isEqualTo(Map.of("paid", 1));
    }

    @Test
    void aGroupThatCannotBeStoredIsUnavailable() throws Exception {
        fill();
        try (GroupedClaims<String, byte[]> group = GroupedClaims.on(claims, LARGE, Effects::addAll)) {
            assertThat(group.submit(KEY, Fingerprint.NONE, "paid", RESULT)
                            .toCompletableFuture()
                            .get())
                    .isInstanceOf(Outcome.Unavailable.class);
            assertThat(effects.counts()).isEmpty();

            makeRoom();
            assertThat(group.submit(KEY, Fingerprint.NONE, "paid", RESULT)
                            .toCompletableFuture()
                            .get())
                    .isInstanceOf(Outcome.Succeeded.class);
        }
        assertThat(effects.counts()).isEqualTo(Map.of("paid", 1));
    }

    @Test
    void theCallersOwnTransactionCanOnlyBeRolledBack() throws SQLException {
        fill();
        Connection connection = begin();

        assertThatThrownBy(() -> claims.execute(connection, LARGE, KEY, run -> pay(connection)))
                .isInstanceOf(TransactionAbortedException.class);

        end(connection);
        assertThat(effects.counts()).isEmpty();
    }
}

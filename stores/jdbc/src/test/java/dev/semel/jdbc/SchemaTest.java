// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.testservers.MariaDbServer;
import dev.semel.testservers.PostgresServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SchemaTest {
    enum Kind {
        POSTGRESQL,
        MARIADB
    }

    private TestDatabase database;

    @AfterEach
    void close() throws Exception {
        if (database != null) {
            database.close();
        }
    }

    private DataSource empty(Kind kind) {
        database = kind == Kind.POSTGRESQL
                ? TestDatabase.postgres(PostgresServer.shared())
                : TestDatabase.mariadb(MariaDbServer.shared());
        return database.pool(8);
    }

    @ParameterizedTest
    @EnumSource
    void anEmptyDatabaseIsRefusedWithTheStatementsThatItLacks(Kind kind) {
        DataSource pool = empty(kind);

        assertThatThrownBy(() -> JdbcClaimStore.on(pool))
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining("JdbcClaimStore.migrating(dataSource)")
                .hasMessageContaining("CREATE TABLE")
                .hasMessageContaining("idempotency_keys_browse_idx");
    }

    @ParameterizedTest
    @EnumSource
    void migratingTwiceIsMigratingOnce(Kind kind) throws Exception {
        DataSource pool = empty(kind);

        JdbcClaimStore.migrating(pool).close();
        JdbcClaimStore.migrating(pool).close();

        assertThat(versions(pool)).isEqualTo(2);
    }

    /** MariaDB commits every statement of a file by itself: it may be done, and yet not noted as done. */
    @ParameterizedTest
    @EnumSource
    void aMigrationThatWasInterruptedIsFinished(Kind kind) throws Exception {
        DataSource pool = empty(kind);
        Schema.of(pool).migrate();
        database.execute("DELETE FROM semel_schema_version WHERE version = 2");

        Schema.of(pool).migrate();

        assertThat(versions(pool)).isEqualTo(2);
        assertThatCode(() -> Schema.of(pool).check()).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @EnumSource
    void manyProcessesMayMigrateAtOnce(Kind kind) throws Exception {
        DataSource pool = empty(kind);

        List<CompletableFuture<Void>> starts = IntStream.range(0, 6)
                .mapToObj(i -> CompletableFuture.runAsync(() -> Schema.of(pool).migrate()))
                .toList();
        starts.forEach(CompletableFuture::join);

        assertThat(versions(pool)).isEqualTo(2);
        assertThatCode(() -> Schema.of(pool).check()).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @EnumSource
    void tablesThatAnotherToolCreatedAreAsGood(Kind kind) {
        DataSource pool = empty(kind);
        Pattern.compile(";\\s*\\n")
                .splitAsStream(Schema.of(pool).ddl())
                .filter(statement -> !statement.isBlank())
                .forEach(statement -> database.execute(statement));

        assertThatCode(() -> JdbcClaimStore.on(pool)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @EnumSource
    void aMissingColumnIsFound(Kind kind) {
        DataSource pool = empty(kind);
        Schema.of(pool).migrate();
        database.execute("ALTER TABLE idempotency_keys DROP COLUMN run_until");

        assertThatThrownBy(() -> JdbcClaimStore.on(pool)).isInstanceOf(SchemaException.class);
    }

    @ParameterizedTest
    @EnumSource
    void aMissingTableIsFound(Kind kind) {
        DataSource pool = empty(kind);
        Schema.of(pool).migrate();
        database.execute("DROP TABLE semel_epoch");

        assertThatThrownBy(() -> JdbcClaimStore.on(pool))
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining("V2__aliases_epoch_due.sql");
    }

    @Test
    void aSqliteFileIsCreatedWithItsFoldersAndIsDurable(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("a/b/claims.db");

        try (JdbcClaimStore store = JdbcClaimStore.sqlite(file);
                SqliteFile opened = SqliteFile.open(file);
                Connection connection = opened.getConnection();
                Statement statement = connection.createStatement()) {
            assertThat(store.counts("anybody")).isEmpty();
            assertThat(file).exists();
            assertThat(single(statement, "PRAGMA journal_mode")).isEqualTo("wal");
            assertThat(single(statement, "PRAGMA synchronous")).as("FULL").isEqualTo("2");
        }
    }

    @Test
    void aFileThatCannotBeOpenedIsNamedTogetherWithTheFix(@TempDir Path folder) {
        assertThatThrownBy(() -> JdbcClaimStore.sqlite(folder))
                .hasMessageContaining(folder.toString())
                .hasMessageContaining("sqlite-jdbc");
    }

    private static int versions(DataSource pool) throws Exception {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            return Integer.parseInt(single(statement, "SELECT count(*) FROM semel_schema_version"));
        }
    }

    private static String single(Statement statement, String sql) throws Exception {
        try (ResultSet rows = statement.executeQuery(sql)) {
            assertThat(rows.next()).isTrue();
            return rows.getString(1);
        }
    }
}

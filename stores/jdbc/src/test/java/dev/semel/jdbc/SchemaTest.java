// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.testservers.DatabaseKind;
import dev.semel.testservers.EachDatabase;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;

class SchemaTest {
    private ClaimDatabase database;

    @AfterEach
    void close() throws Exception {
        if (database != null) {
            database.close();
        }
    }

    private DataSource empty(DatabaseKind kind) {
        database = ClaimDatabase.on(kind.sharedServer());
        return database.pool(8);
    }

    @ParameterizedTest
    @EachDatabase(except = DatabaseKind.SQLITE)
    void anEmptyDatabaseIsRefusedWithTheStatementsThatItLacks(DatabaseKind kind) {
        DataSource pool = empty(kind);

        assertThatThrownBy(() -> JdbcClaimStore.on(pool))
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining("JdbcClaimStore.migrating(dataSource)")
                .hasMessageContaining("CREATE TABLE")
                .hasMessageContaining("idempotency_keys_records_idx");
    }

    @ParameterizedTest
    @EachDatabase(except = DatabaseKind.SQLITE)
    void aSecondMigrationChangesNothing(DatabaseKind kind) throws Exception {
        DataSource pool = empty(kind);

        JdbcClaimStore.migrating(pool).close();
        JdbcClaimStore.migrating(pool).close();

        assertThat(versions(pool)).isEqualTo(1);
    }

    /** Every claim pays for each index: docs/operate.md lists them. */
    @ParameterizedTest
    @EachDatabase
    void claimsHaveTheseIndexesAndNoOthers(DatabaseKind kind, @TempDir Path folder) throws Exception {
        database = ClaimDatabase.of(kind, folder.resolve("claims.db"));
        database.store(2);
        Set<String> indexes = new TreeSet<>();
        try (Connection connection = database.connect();
                ResultSet rows = connection
                        .getMetaData()
                        .getIndexInfo(connection.getCatalog(), null, "idempotency_keys", false, false)) {
            while (rows.next()) {
                indexes.add(rows.getString("INDEX_NAME"));
            }
        }

        String primaryKey = switch (kind) {
            case POSTGRESQL -> "idempotency_keys_pkey";
            case MARIADB, MYSQL -> "PRIMARY";
            case SQLITE -> "sqlite_autoindex_idempotency_keys_1";
        };
        Set<String> expected =
                new TreeSet<>(Set.of(primaryKey, "idempotency_keys_records_idx", "idempotency_keys_due_idx"));
        if (kind == DatabaseKind.POSTGRESQL || kind == DatabaseKind.SQLITE) {
            // A partial index. InnoDB has none: there, pointers are found by a table of their own.
            expected.add("idempotency_keys_alias_idx");
        }
        assertThat(indexes).isEqualTo(expected);
    }

    /** MariaDB and MySQL commit every statement of a file, so an applied file may not be recorded as applied. */
    @ParameterizedTest
    @EachDatabase(except = {DatabaseKind.POSTGRESQL, DatabaseKind.SQLITE})
    void aMigrationThatWasInterruptedIsFinished(DatabaseKind kind) throws Exception {
        DataSource pool = empty(kind);
        Schema.of(pool).migrate();
        database.execute("DROP TABLE semel_jobs", "DELETE FROM semel_schema_version");

        Schema.of(pool).migrate();

        assertThat(versions(pool)).isEqualTo(1);
        assertThatCode(() -> Schema.of(pool).check()).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @EachDatabase(except = DatabaseKind.SQLITE)
    void manyProcessesMayMigrateAtOnce(DatabaseKind kind) throws Exception {
        DataSource pool = empty(kind);

        List<CompletableFuture<Void>> starts = IntStream.range(0, 6)
                .mapToObj(i -> CompletableFuture.runAsync(() -> Schema.of(pool).migrate()))
                .toList();
        starts.forEach(CompletableFuture::join);

        assertThat(versions(pool)).isEqualTo(1);
        assertThatCode(() -> Schema.of(pool).check()).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @EachDatabase(except = DatabaseKind.SQLITE)
    void tablesThatAnotherToolCreatedAreAccepted(DatabaseKind kind) {
        DataSource pool = empty(kind);
        Pattern.compile(";\\s*\\n")
                .splitAsStream(Schema.of(pool).ddl())
                .filter(statement -> !statement.isBlank())
                .forEach(statement -> database.execute(statement));

        assertThatCode(() -> JdbcClaimStore.on(pool)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @EachDatabase(except = DatabaseKind.SQLITE)
    void aMissingColumnIsFound(DatabaseKind kind) {
        DataSource pool = empty(kind);
        Schema.of(pool).migrate();
        database.execute("ALTER TABLE idempotency_keys DROP COLUMN run_until");

        assertThatThrownBy(() -> JdbcClaimStore.on(pool)).isInstanceOf(SchemaException.class);
    }

    @ParameterizedTest
    @EachDatabase(except = DatabaseKind.SQLITE)
    void aMissingTableIsFound(DatabaseKind kind) {
        DataSource pool = empty(kind);
        Schema.of(pool).migrate();
        database.execute("DROP TABLE semel_epoch");

        assertThatThrownBy(() -> JdbcClaimStore.on(pool))
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining("V1__claims.sql");
    }

    @ParameterizedTest
    @EachDatabase(except = DatabaseKind.SQLITE)
    void tablesFromBeforeTheFirstReleaseAreRefusedWithTheFix(DatabaseKind kind) {
        DataSource pool = empty(kind);
        Schema.of(pool).migrate();
        database.execute("ALTER TABLE idempotency_keys ADD COLUMN updated_at timestamp");

        for (ThrowingCallable start : starts(pool)) {
            assertThatThrownBy(start)
                    .isInstanceOf(SchemaException.class)
                    .hasMessageContaining("before the first release")
                    .hasMessageContaining("drop Semel's tables")
                    .hasMessageContaining("semel_schema_version");
        }
    }

    @ParameterizedTest
    @EachDatabase(except = DatabaseKind.SQLITE)
    void anotherApplicationsTableIsNamedTogetherWithTheFix(DatabaseKind kind) {
        DataSource pool = empty(kind);
        database.execute("CREATE TABLE idempotency_keys (id integer PRIMARY KEY, request_id varchar(100))");

        for (ThrowingCallable start : starts(pool)) {
            assertThatThrownBy(start)
                    .isInstanceOf(SchemaException.class)
                    .hasMessageContaining("The table idempotency_keys already exists")
                    .hasMessageContaining("key_hash")
                    .hasMessageContaining(
                            kind == DatabaseKind.POSTGRESQL ? "?currentSchema=semel" : "a database of its own");
        }
    }

    @ParameterizedTest
    @EachDatabase(except = DatabaseKind.SQLITE)
    void anotherApplicationsEpochIsNamedToo(DatabaseKind kind) {
        DataSource pool = empty(kind);
        database.execute("CREATE TABLE semel_epoch (name varchar(100))");

        assertThatThrownBy(() -> Schema.of(pool).migrate())
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining("The table semel_epoch already exists");
    }

    @Test
    void aSeparateSchemaIsTheFix() throws Exception {
        empty(DatabaseKind.POSTGRESQL);
        database.execute(
                "CREATE TABLE idempotency_keys (id integer PRIMARY KEY, request_id varchar(100))",
                "CREATE SCHEMA semel");
        String url = database.url();
        DataSource pool = database.hastyPool(url + (url.contains("?") ? "&" : "?") + "currentSchema=semel", 2);

        assertThatCode(() -> JdbcClaimStore.migrating(pool)).doesNotThrowAnyException();

        database.execute("CREATE SCHEMA first_on_the_path");
        DataSource path =
                database.hastyPool(url + (url.contains("?") ? "&" : "?") + "currentSchema=first_on_the_path,public", 2);
        assertThatCode(() -> JdbcClaimStore.migrating(path)).doesNotThrowAnyException();
    }

    @Test
    void anotherApplicationsTableInASqliteFileIsNamed(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("app.db");
        execute(file, "CREATE TABLE idempotency_keys (id INTEGER PRIMARY KEY, request_id TEXT)");

        assertThatThrownBy(() -> JdbcClaimStore.sqlite(file))
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining("The table idempotency_keys already exists")
                .hasMessageContaining("a file of its own");
    }

    /** A start after a migration, and a start with tables that another tool created. */
    private static List<ThrowingCallable> starts(DataSource pool) {
        return List.of(() -> JdbcClaimStore.migrating(pool), () -> JdbcClaimStore.on(pool));
    }

    @ParameterizedTest
    @EachDatabase(except = DatabaseKind.SQLITE)
    void aMissingPrimaryKeyIsNamedTogetherWithTheStatementThatMakesIt(DatabaseKind kind) {
        DataSource pool = empty(kind);
        Schema.of(pool).migrate();
        database.execute(
                kind == DatabaseKind.POSTGRESQL
                        ? "ALTER TABLE idempotency_keys DROP CONSTRAINT idempotency_keys_pkey"
                        : "ALTER TABLE idempotency_keys DROP PRIMARY KEY");

        String statement = "CREATE UNIQUE INDEX idempotency_keys_key_hash_uq ON idempotency_keys (key_hash);";
        for (ThrowingCallable start : starts(pool)) {
            assertThatThrownBy(start).isInstanceOf(SchemaException.class).hasMessageContaining(statement);
        }
        database.execute(statement);
        assertThatCode(() -> JdbcClaimStore.on(pool)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @EachDatabase(except = DatabaseKind.SQLITE)
    void anIndexThatIsNotUniqueOrHoldsMoreColumnsDoesNotCount(DatabaseKind kind) {
        DataSource pool = empty(kind);
        Schema.of(pool).migrate();
        database.execute(
                kind == DatabaseKind.POSTGRESQL
                        ? "ALTER TABLE semel_epoch DROP CONSTRAINT semel_epoch_pkey"
                        : "ALTER TABLE semel_epoch DROP PRIMARY KEY");
        database.execute(
                "CREATE INDEX plain_idx ON semel_epoch (id)",
                "CREATE UNIQUE INDEX wider_idx ON semel_epoch (id, epoch)");

        assertThatThrownBy(() -> JdbcClaimStore.on(pool))
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining("CREATE UNIQUE INDEX semel_epoch_id_uq ON semel_epoch (id);");
    }

    @Test
    void aTableOfASqliteFileThatLacksItsPrimaryKeyIsRefused(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("claims.db");
        JdbcClaimStore.sqlite(file).close();
        execute(
                file,
                "ALTER TABLE idempotency_keys RENAME TO old",
                "CREATE TABLE idempotency_keys AS SELECT * FROM old");

        String statement = "CREATE UNIQUE INDEX idempotency_keys_key_hash_uq ON idempotency_keys (key_hash);";
        assertThatThrownBy(() -> JdbcClaimStore.sqlite(file))
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining(statement);
        execute(file, statement);
        assertThatCode(() -> JdbcClaimStore.sqlite(file).close()).doesNotThrowAnyException();
    }

    private static void execute(Path file, String... statements) throws Exception {
        try (SqliteFile opened = SqliteFile.open(file);
                Connection connection = opened.getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    @Test
    void aSqliteFileIsCreatedWithItsFoldersAndIsDurable(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("a/b/claims.db");

        try (JdbcClaimStore store = JdbcClaimStore.sqlite(file);
                SqliteFile opened = SqliteFile.open(file);
                Connection connection = opened.getConnection();
                Statement statement = connection.createStatement()) {
            assertThat(store.counts("acme")).isEmpty();
            assertThat(file).exists();
            assertThat(single(statement, "PRAGMA journal_mode")).isEqualTo("wal");
            assertThat(single(statement, "PRAGMA synchronous")).as("FULL").isEqualTo("2");
        }
    }

    /**
     * In a table WITHOUT ROWID, SQLite loads each row that it compares a digest with completely, including its result.
     */
    @Test
    void lookingUpAClaimInASqliteFileReadsNoResultsOfOthers(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("claims.db");
        JdbcClaimStore.sqlite(file).close();

        try (SqliteFile opened = SqliteFile.open(file);
                Connection connection = opened.getConnection();
                Statement statement = connection.createStatement()) {
            assertThat(single(statement, "SELECT wr FROM pragma_table_list WHERE name = 'idempotency_keys'"))
                    .as("whether the table is WITHOUT ROWID")
                    .isEqualTo("0");
        }
    }

    @Test
    void aFileThatCannotBeOpenedIsNamedTogetherWithTheFix(@TempDir Path folder) {
        assertThatThrownBy(() -> JdbcClaimStore.sqlite(folder))
                .hasMessageContaining(folder.toString())
                .hasMessageContaining("sqlite-jdbc");
    }

    private static int versions(DataSource pool) throws Exception {
        return Integer.parseInt(single(pool, "SELECT count(*) FROM semel_schema_version"));
    }

    private static String single(DataSource pool, String sql) throws Exception {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            return single(statement, sql);
        }
    }

    private static String single(Statement statement, String sql) throws Exception {
        try (ResultSet rows = statement.executeQuery(sql)) {
            assertThat(rows.next()).isTrue();
            return rows.getString(1);
        }
    }
}

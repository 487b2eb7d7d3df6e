// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal;

import dev.semel.jdbc.JdbcClaimStore;
import dev.semel.jdbc.SqliteFile;
import dev.semel.testservers.DatabaseKind;
import dev.semel.testservers.DatabaseServer;
import dev.semel.testservers.FreshDatabase;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;

/** A database with all tables, and journals on it that are closed with it. */
public final class MigratedDatabase extends FreshDatabase {
    private static final AtomicInteger COUNT = new AtomicInteger();

    private final DataSource dataSource;

    private MigratedDatabase(DatabaseServer server) {
        super(server);
        dataSource = pool(url());
        migrate();
    }

    private MigratedDatabase(Path file) {
        super(file);
        dataSource = closing(SqliteFile.open(file));
        migrate();
    }

    private void migrate() {
        JdbcClaimStore.migrating(dataSource);
        Journal.schema(dataSource).migrate();
    }

    /** Only SQLite uses the folder. */
    public static MigratedDatabase of(DatabaseKind kind, Path folder) {
        return switch (kind) {
            case POSTGRESQL, MARIADB, MYSQL -> on(kind.sharedServer());
            case SQLITE -> new MigratedDatabase(folder.resolve("journal-" + COUNT.incrementAndGet() + ".db"));
        };
    }

    public static MigratedDatabase on(DatabaseServer server) {
        return new MigratedDatabase(server);
    }

    public DataSource dataSource() {
        return dataSource;
    }

    public DataSource pool(String atUrl) {
        return pool(atUrl, 8, Duration.ofSeconds(10));
    }

    public Journal journal() {
        return journal(builder -> builder);
    }

    public Journal journal(UnaryOperator<JournalBuilder> settings) {
        return closing(settings.apply(Journal.on(dataSource)).build());
    }
}

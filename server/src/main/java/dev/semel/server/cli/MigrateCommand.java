// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.cli;

import dev.semel.claim.StoreException;
import dev.semel.jdbc.Schema;
import dev.semel.jdbc.SchemaException;
import dev.semel.journal.Journal;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import dev.semel.server.config.DatabaseSettings;
import dev.semel.server.storage.DatabasePool;
import java.util.Optional;
import java.util.concurrent.Callable;
import javax.sql.DataSource;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code semel migrate}. */
@Command(
        name = "migrate",
        description = "Creates or updates the tables. Several processes may run it at once; running it again is safe.",
        footer = {"", "Then start the servers with --no-migrate, if their database user may not change tables."})
public final class MigrateCommand implements Callable<Integer> {
    @Mixin
    private DatabaseOptions database = new DatabaseOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Option(names = "--print", description = "print all statements for this kind of database, and change nothing")
    private boolean print;

    @Override
    public Integer call() {
        DatabaseSettings settings = database.settings().database();
        // Printing must not create a file.
        try (DatabasePool pool = DatabasePool.open(print && settings.isSqlite() ? inMemory() : settings)) {
            try {
                if (print) {
                    print(pool);
                } else {
                    migrate(pool, settings);
                }
            } catch (StoreException | SchemaException e) {
                throw pool.unusable(e);
            }
        }
        return 0;
    }

    private static DatabaseSettings inMemory() {
        return new DatabaseSettings("jdbc:sqlite::memory:", Optional.empty(), Optional.empty(), Optional.empty(), 2);
    }

    private void print(DatabasePool pool) {
        DataSource source = pool.dataSource();
        String ddl = pool.schemaDdl()
                + Schema.of(source).ddl()
                + Journal.schema(source).ddl();
        output.print(new JsonObject.Builder().put("ddl", new JsonString(ddl)).build(), ddl);
    }

    private void migrate(DatabasePool pool, DatabaseSettings settings) {
        DataSource source = pool.dataSource();
        // Check both before anything is created, so that a rejected database stays unchanged.
        Schema.of(source).requireFreeNames();
        Journal.schema(source).requireFreeNames();
        output.progress("Migrating " + settings.shown() + " ...");
        pool.createSchema();
        Schema.of(source).migrate();
        Journal.schema(source).migrate();
        Schema.of(source).check();
        Journal.schema(source).check();
        output.print(
                new JsonObject.Builder()
                        .put("status", new JsonString("current"))
                        .put("database", new JsonString(settings.shownUrl()))
                        .build(),
                "The tables of %s are current.".formatted(settings.shown()));
    }
}

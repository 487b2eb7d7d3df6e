// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.cli;

import dev.semel.claim.StoreException;
import dev.semel.jdbc.Schema;
import dev.semel.jdbc.SchemaException;
import dev.semel.journal.Journal;
import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonArray;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import dev.semel.server.config.DatabaseSettings;
import dev.semel.server.config.DynamoUrl;
import dev.semel.server.storage.DatabasePool;
import dev.semel.server.storage.DynamoConnection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
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

    @Option(
            names = "--print",
            description =
                    "print all statements for this kind of database, or DynamoDB's CloudFormation template; change nothing")
    private boolean print;

    @Override
    public Integer call() {
        DatabaseSettings settings = database.settings().database();
        if (settings.dynamo().isPresent()) {
            dynamo(settings.dynamo().get());
            return 0;
        }
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

    private void dynamo(DynamoUrl address) {
        if (print) {
            String template = DynamoConnection.template();
            output.print(
                    new JsonObject.Builder()
                            .put("template", new JsonString(template))
                            .build(),
                    template);
            return;
        }
        output.progress("Migrating " + address + ", which takes long if an index must be built ...");
        List<String> done;
        try (DynamoConnection connection = DynamoConnection.open(address)) {
            done = connection.migrate();
        }
        String text = "The table of %s is current.%s"
                .formatted(address, done.stream().map("%nDone: %s"::formatted).collect(Collectors.joining()));
        output.print(
                current(address.toString())
                        .put(
                                "done",
                                new JsonArray(
                                        done.stream().<Json>map(JsonString::new).toList()))
                        .build(),
                text);
    }

    private static JsonObject.Builder current(String shownUrl) {
        return new JsonObject.Builder()
                .put("status", new JsonString("current"))
                .put("database", new JsonString(shownUrl));
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
        output.print(current(settings.shownUrl()).build(), "The tables of %s are current.".formatted(settings.shown()));
    }
}

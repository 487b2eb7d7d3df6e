// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.cli;

import dev.semel.admin.Cleanup;
import dev.semel.admin.CleanupApi;
import dev.semel.claim.StoreException;
import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonObject;
import dev.semel.server.cleanup.ConfiguredCleanup;
import dev.semel.server.config.Settings;
import dev.semel.server.storage.SchemaMode;
import dev.semel.server.storage.Storage;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code semel cleanup}. */
@Command(
        name = "cleanup",
        description = "Deletes expired claims now and prints how many rows went. Suitable for cron.",
        footer = {
            "",
            "One process at a time cleans up. If another instance does, this waits for its end and prints its counts.",
            "With --database-url or --data-dir it does not wait: it fails and changes nothing."
        })
public final class CleanupCommand implements Callable<Integer> {
    @Mixin
    private TargetOptions target = new TargetOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Option(names = "--dry-run", description = "count what is due, and delete nothing")
    private boolean dryRun;

    @Override
    public Integer call() {
        JsonObject answer = target.isDatabase() ? onDatabase() : onServer();
        output.print(answer, text(answer));
        return 0;
    }

    private JsonObject onServer() {
        try (RemoteAdmin admin = target.remote()) {
            RemoteCleanup cleanup = new RemoteCleanup(admin, output);
            return dryRun ? cleanup.due() : cleanup.run();
        }
    }

    private JsonObject onDatabase() {
        Settings settings = target.database().existing();
        try (Storage storage = Storage.open(settings.database(), SchemaMode.CHECK);
                OpenedJournal journal = OpenedJournal.of(storage)) {
            Cleanup cleanup = ConfiguredCleanup.of(storage, journal.journal(), settings.cleanup(), List.of());
            if (dryRun) {
                return CleanupApi.due(cleanup);
            }
            return cleanup.run(Duration.ZERO, soFar -> output.count("Cleaning up: %,d rows".formatted(soFar.rows())))
                    .map(CleanupApi::ended)
                    .orElseThrow(() -> new CommandException(
                            "Another process is cleaning up, and nothing was changed: try again later"));
        } catch (StoreException e) {
            throw new CommandException(String.valueOf(e.getMessage()));
        }
    }

    /** Every count on a line of its own. */
    private static String text(JsonObject answer) {
        Map<String, Json> lines = new LinkedHashMap<>();
        flatten(answer, lines);
        return KeyText.claim(new JsonObject(lines));
    }

    private static void flatten(JsonObject object, Map<String, Json> lines) {
        object.members().forEach((name, value) -> {
            if (value instanceof JsonObject nested) {
                flatten(nested, lines);
            } else {
                lines.put(name, value);
            }
        });
    }
}

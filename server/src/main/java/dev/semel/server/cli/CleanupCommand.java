// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.cli;

import dev.semel.admin.Cleanup;
import dev.semel.admin.CleanupReport;
import dev.semel.claim.StoreException;
import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonBoolean;
import dev.semel.payload.json.JsonNumber;
import dev.semel.payload.json.JsonObject;
import dev.semel.server.config.DatabaseSettings;
import dev.semel.server.storage.SchemaMode;
import dev.semel.server.storage.Storage;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code semel cleanup}. */
@Command(
        name = "cleanup",
        description = "Deletes expired claims now and prints how many rows went. Suitable for cron.",
        footer = {"", "One process at a time cleans up: if another one does, this fails and changes nothing."})
public final class CleanupCommand implements Callable<Integer> {
    private static final Duration KEEP_HISTORY = Duration.ofDays(30);
    private static final int MAX_COUNTED = 1_000_000;

    @Mixin
    private TargetOptions target = new TargetOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Option(names = "--dry-run", description = "count what is due, and delete nothing")
    private boolean dryRun;

    @Override
    public Integer call() {
        output.progress("Cleaning up ...");
        JsonObject answer = target.isDatabase() ? onDatabase() : onServer();
        output.print(answer, KeyText.claim(answer));
        return 0;
    }

    private JsonObject onServer() {
        try (RemoteAdmin admin = target.remote()) {
            Json body = new JsonObject.Builder()
                    .put("dry_run", new JsonBoolean(dryRun))
                    .build();
            return admin.post("/v1/cleanup", body);
        }
    }

    private JsonObject onDatabase() {
        DatabaseSettings settings = target.database().existing().database();
        try (Storage storage = Storage.open(settings, SchemaMode.CHECK)) {
            // Decisions are kept for ever: they are the audit trail.
            Cleanup cleanup = Cleanup.of(storage.claims(), KEEP_HISTORY, null, List.of(), List.of());
            if (dryRun) {
                return new JsonObject.Builder()
                        .put("dry_run", new JsonBoolean(true))
                        .put("due", JsonNumber.of(cleanup.backlog(MAX_COUNTED)))
                        .build();
            }
            Optional<CleanupReport> report = cleanup.run(Duration.ZERO);
            return report.orElseThrow(() -> new CommandException(
                            "Another process is cleaning up, and nothing was changed: try again later"))
                    .json();
        } catch (StoreException e) {
            throw new CommandException(String.valueOf(e.getMessage()));
        }
    }
}

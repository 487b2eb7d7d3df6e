// SPDX-License-Identifier: Apache-2.0
package dev.semel.admin;

import dev.semel.admin.AdminRoute.Access;
import dev.semel.claim.StoreException;
import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonBoolean;
import dev.semel.payload.json.JsonException;
import dev.semel.payload.json.JsonNumber;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import dev.semel.spi.JobLeases.JobRun;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The routes of the cleanup: {@code GET} and {@code POST /v1/cleanup}. They concern all tenants, and return only counts. */
public final class CleanupApi {
    /** Counting more would take too long for an answer. */
    private static final int MAX_BACKLOG = 100_000;

    /** How many requests wait for the end of a run. Further ones are told at once that it runs. */
    static final int MAX_WAITING = 2;

    private static final int MAX_DRY_RUN = 1_000_000;
    private static final Duration MAX_WAIT = Duration.ofSeconds(10);

    private final CleanupSchedule schedule;
    private final Semaphore waiting = new Semaphore(MAX_WAITING);

    public CleanupApi(CleanupSchedule schedule) {
        this.schedule = schedule;
    }

    /** All routes. */
    public List<AdminRoute> routes() {
        return List.of(
                new AdminRoute("GET", "/v1/cleanup", Access.OPERATE, Set.of(), request -> state()),
                new AdminRoute("POST", "/v1/cleanup", Access.OPERATE, Set.of(), request -> run(request.body())));
    }

    private Json state() {
        JsonObject.Builder state = new JsonObject.Builder();
        schedule.cleanup().last().ifPresent(last -> state.put("last_run", lastRun(last)));
        return state.put("backlog", JsonNumber.of(schedule.cleanup().backlog(MAX_BACKLOG)))
                .put("backlog_limit", JsonNumber.of(MAX_BACKLOG))
                .put("schedule", times(schedule.times()))
                .build();
    }

    private static Json lastRun(JobRun run) {
        JsonObject.Builder shown = new JsonObject.Builder()
                .put("started_at", new JsonString(run.startedAt().toString()))
                .put("running", new JsonBoolean(run.running()));
        if (run.endedAt() != null) {
            shown.put("ended_at", new JsonString(run.endedAt().toString()));
        }
        report(run.report()).ifPresent(report -> shown.put("report", report));
        return shown.build();
    }

    /** The stored report; empty if there is none yet, or an earlier version wrote it in another form. */
    private static Optional<Json> report(@Nullable String text) {
        if (text == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(Json.parse(text.getBytes(StandardCharsets.UTF_8)))
                    .filter(JsonObject.class::isInstance);
        } catch (JsonException e) {
            return Optional.empty();
        }
    }

    private static Json times(CleanupTimes times) {
        if (times instanceof CleanupTimes.Daily daily) {
            return new JsonObject.Builder()
                    .put("at", new JsonString(daily.at().toString()))
                    .put("time_zone", new JsonString(daily.zone().getId()))
                    .build();
        }
        return new JsonObject(Map.of(
                "every_seconds",
                JsonNumber.of(((CleanupTimes.Every) times).interval().toSeconds())));
    }

    private Json run(@Nullable Json body) {
        BodyMembers members = new BodyMembers(body);
        boolean dry = members.any("dry_run").map(CleanupApi::flag).orElse(false);
        members.done();
        if (dry) {
            return due(schedule.cleanup());
        }
        return await().map(CleanupApi::ended)
                .orElseGet(() -> new JsonObject(Map.of("status", new JsonString("running"))));
    }

    private static boolean flag(Json value) {
        if (value instanceof JsonBoolean flag) {
            return flag.value();
        }
        throw AdminException.field("/dry_run", "dry_run must be true or false");
    }

    /** The answer about a run that has ended. */
    public static JsonObject ended(CleanupReport report) {
        return new JsonObject.Builder()
                .put("status", new JsonString("ended"))
                .put("report", report.json())
                .build();
    }

    /** The answer to a dry run: what a run would delete now. */
    public static JsonObject due(Cleanup cleanup) {
        JsonObject.Builder others = new JsonObject.Builder();
        cleanup.backlogOfTasks(MAX_DRY_RUN).forEach((name, rows) -> others.put(name, JsonNumber.of(rows)));
        return new JsonObject.Builder()
                .put("status", new JsonString("dry_run"))
                .put(
                        "due",
                        new JsonObject.Builder()
                                .put("claims", JsonNumber.of(cleanup.backlog(MAX_DRY_RUN)))
                                .put("others", others.build())
                                .build())
                .build();
    }

    /** Empty if the run goes on, here or in another process. */
    private Optional<CleanupReport> await() {
        CompletableFuture<Optional<CleanupReport>> run = schedule.runNow();
        if (!waiting.tryAcquire()) {
            return Optional.empty();
        }
        try {
            return run.get(MAX_WAIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof StoreException failure) {
                throw failure;
            }
            throw new IllegalStateException("The cleanup failed", e.getCause());
        } finally {
            waiting.release();
        }
    }
}

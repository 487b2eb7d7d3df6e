// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.admin;

import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonArray;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import dev.semel.server.config.Settings;
import dev.semel.server.doctor.Doctor;
import dev.semel.server.doctor.Finding;
import dev.semel.server.http.HttpAnswer;
import dev.semel.server.http.Resource;
import dev.semel.server.http.RouteAccess;
import dev.semel.server.http.Routes;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /v1/doctor}. The doctor opens connections and may take seconds, so its findings are kept for a moment. Requests
 * that arrive while it works share its findings and hold no thread.
 */
public final class DoctorResource implements Resource {
    private static final long FRESH_NANOS = Duration.ofSeconds(10).toNanos();

    private final Supplier<List<Finding>> doctor;
    private final Executor blocking;
    private @Nullable CompletableFuture<HttpAnswer> latest;
    private long started;

    DoctorResource(Supplier<List<Finding>> doctor, Executor blocking) {
        this.doctor = doctor;
        this.blocking = blocking;
    }

    /**
     * Creates the resource.
     *
     * @param settings the settings in effect
     */
    public static DoctorResource of(Supplier<Settings> settings, Executor blocking) {
        return new DoctorResource(() -> new Doctor(settings.get(), Clock.systemUTC()).findings(), blocking);
    }

    @Override
    public void addTo(Routes routes) {
        routes.get("/v1/doctor", RouteAccess.OPERATE, Set.of(), context -> findings());
    }

    private synchronized CompletableFuture<HttpAnswer> findings() {
        CompletableFuture<HttpAnswer> known = latest;
        if (known == null || (known.isDone() && !isFresh(known))) {
            known = CompletableFuture.supplyAsync(() -> HttpAnswer.json(200, json(doctor.get())), blocking);
            latest = known;
            started = System.nanoTime();
        }
        return known;
    }

    private boolean isFresh(CompletableFuture<HttpAnswer> known) {
        return !known.isCompletedExceptionally() && System.nanoTime() - started < FRESH_NANOS;
    }

    private static Json json(List<Finding> findings) {
        return new JsonObject.Builder()
                .put(
                        "findings",
                        new JsonArray(
                                findings.stream().map(DoctorResource::json).toList()))
                .build();
    }

    private static Json json(Finding finding) {
        return new JsonObject.Builder()
                .put("level", new JsonString(finding.level().name().toLowerCase(Locale.ROOT)))
                .put("check", new JsonString(finding.check()))
                .put("problem", new JsonString(finding.problem()))
                .put("fix", new JsonString(finding.fix()))
                .build();
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.admin;

import dev.semel.admin.AdminRequest;
import dev.semel.admin.AdminRoute;
import dev.semel.admin.AdminRoute.Access;
import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonNumber;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import dev.semel.server.config.ServerMode;
import dev.semel.server.config.Settings;
import dev.semel.server.config.SettingsPrinter;
import dev.semel.server.storage.ReplayCaches;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;

/** The routes about this instance: {@code /v1/system} and {@code /v1/settings}. */
public final class SystemApi {
    private final Supplier<Settings> settings;
    private final String version;
    private final String instance;
    private final Supplier<String> database;
    private final ReplayCaches caches;

    /**
     * Creates the API.
     *
     * @param settings the settings in effect
     * @param instance the name of this process
     * @param database returns the name of the database
     */
    public SystemApi(
            Supplier<Settings> settings,
            String version,
            String instance,
            Supplier<String> database,
            ReplayCaches caches) {
        this.settings = settings;
        this.version = version;
        this.instance = instance;
        this.database = database;
        this.caches = caches;
    }

    /** Returns all routes. */
    public List<AdminRoute> routes() {
        return List.of(
                new AdminRoute("GET", "/v1/system", Access.LOOK, Set.of(), request -> system()),
                new AdminRoute("GET", "/v1/settings", Access.OPERATE, Set.of(), this::settings));
    }

    private Json system() {
        Instant started =
                Instant.ofEpochMilli(ManagementFactory.getRuntimeMXBean().getStartTime());
        return new JsonObject.Builder()
                .put("version", new JsonString(version))
                .put("java", new JsonString(Runtime.version().toString()))
                .put("database", new JsonString(database.get()))
                .put("instance", new JsonString(instance))
                .put("mode", new JsonString(word(settings.get().mode())))
                .put("started_at", new JsonString(started.toString()))
                .put("caches", caches())
                .build();
    }

    private Json caches() {
        JsonObject.Builder tiers = new JsonObject.Builder()
                .put("process", tier(caches.process().hits(), caches.process().misses()));
        caches.tiers().ifPresent(both -> tiers.put("shared", tier(both.sharedHits(), both.misses())));
        return tiers.build();
    }

    private static Json tier(long hits, long misses) {
        return new JsonObject.Builder()
                .put("hits", JsonNumber.of(hits))
                .put("misses", JsonNumber.of(misses))
                .build();
    }

    /** In production, an operator of one tenant must not learn of the others. */
    private Json settings(AdminRequest request) {
        Settings shown = settings.get();
        boolean all = shown.mode() == ServerMode.DEVELOPMENT;
        return new JsonObject.Builder()
                .put(
                        "yaml",
                        new JsonString(SettingsPrinter.print(shown, tenant -> all || tenant.equals(request.tenant()))))
                .build();
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}

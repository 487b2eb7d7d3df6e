// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.cli;

import dev.semel.server.config.ConfigException;
import dev.semel.server.config.Setting;
import dev.semel.server.config.Settings;
import dev.semel.server.config.SettingsReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which database a command works on. The settings are those of the server. */
final class DatabaseOptions {
    @Option(
            names = "--database-url",
            paramLabel = "URL",
            description =
                    "JDBC URL of the database, or dynamodb://region/table (SEMEL_DATABASE_URL, database.url; user and"
                            + " password in SEMEL_DATABASE_USER and SEMEL_DATABASE_PASSWORD)")
    private @Nullable String databaseUrl;

    @Option(
            names = "--database-schema",
            paramLabel = "NAME",
            description = "PostgreSQL schema of the tables (SEMEL_DATABASE_SCHEMA, database.schema)")
    private @Nullable String databaseSchema;

    @Option(
            names = "--data-dir",
            paramLabel = "DIR",
            description =
                    "folder of the embedded database and the secret (SEMEL_DATA_DIR, server.data_dir; default data)")
    private @Nullable String dataDir;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "settings file (SEMEL_CONFIG; default semel.yml, if it exists)")
    private @Nullable Path config;

    /** Whether an option names a database. */
    boolean isGiven() {
        return databaseUrl != null || dataDir != null;
    }

    Settings settings() {
        Map<Setting, String> options = new EnumMap<>(Setting.class);
        if (databaseUrl != null) {
            options.put(Setting.DATABASE_URL, databaseUrl);
        }
        if (databaseSchema != null) {
            options.put(Setting.DATABASE_SCHEMA, databaseSchema);
        }
        if (dataDir != null) {
            options.put(Setting.DATA_DIR, dataDir);
        }
        return SettingsReader.readForTools(options, Optional.ofNullable(config), System.getenv());
    }

    /** As {@link #settings}, but refuses an SQLite file that does not exist, which opening it would create. */
    Settings existing() {
        Settings settings = settings();
        settings.database().file().filter(file -> !Files.exists(file)).ifPresent(file -> {
            throw new ConfigException(
                    "The database file %s does not exist: set --data-dir or --database-url, or create it with `semel migrate`"
                            .formatted(file));
        });
        return settings;
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.server;

import dev.semel.server.config.ConfigException;
import dev.semel.server.config.Setting;
import dev.semel.server.config.Settings;
import dev.semel.server.config.SettingsPrinter;
import dev.semel.server.config.SettingsReader;
import dev.semel.server.log.LogFormats;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code semel serve}. */
@Command(
        name = "serve",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description =
                "Starts the server. It runs until SIGTERM or Ctrl-C. SIGHUP reloads tokens, webhooks, call sites and the certificate.",
        footer = {
            "",
            "Options override environment variables, which override the settings file.",
            "",
            "Environment or file only:",
            "  SEMEL_DATABASE_USER (database.user)",
            "  SEMEL_DATABASE_PASSWORD (database.password)",
            "  IDEMPOTENCY_SECRET (secret)",
            "  IDEMPOTENCY_PREVIOUS_SECRETS (previous_secrets: up to 3, with commas)",
            "  IDEMPOTENCY_TTL_HOURS (ttl.idempotency_hours, default 24)",
            "  STEP_DEDUP_TTL_HOURS (ttl.step_hours, default 24)",
            "  WEBHOOK_DEDUP_TTL_HOURS (ttl.webhook_hours)",
            "File only:",
            "  tokens, limits, ledger, calls, webhooks, api, cleanup, alerts, metrics,",
            "  tracing, server.tls, server.trusted_proxies, drain.delay_seconds,",
            "  drain.seconds, database.pool_size"
        })
final class ServeCommand implements Callable<Integer> {
    private static final Logger LOG = LoggerFactory.getLogger(ServeCommand.class);

    @Spec
    private @Nullable CommandSpec spec;

    @Option(
            names = "--port",
            paramLabel = "N",
            description = "0 picks a free port (SEMEL_PORT, server.port; default 8080)")
    private @Nullable String port;

    @Option(
            names = "--host",
            paramLabel = "H",
            description = "a non-loopback address enables production mode (SEMEL_HOST, server.host; default 127.0.0.1)")
    private @Nullable String host;

    @Option(
            names = "--data-dir",
            paramLabel = "DIR",
            description = "folder of the embedded database and the secret (SEMEL_DATA_DIR, server.data_dir;"
                    + " default data)")
    private @Nullable String dataDir;

    @Option(
            names = "--database-url",
            paramLabel = "URL",
            description = "JDBC URL of PostgreSQL, MariaDB, MySQL or SQLite, or dynamodb://region/table"
                    + " (SEMEL_DATABASE_URL, database.url)")
    private @Nullable String databaseUrl;

    @Option(
            names = "--database-schema",
            paramLabel = "NAME",
            description =
                    "PostgreSQL schema of the tables, created if missing (SEMEL_DATABASE_SCHEMA, database.schema)")
    private @Nullable String databaseSchema;

    @Option(
            names = "--redis-url",
            paramLabel = "URL",
            description = "Redis that shares replays between instances (SEMEL_REDIS_URL, redis.url)")
    private @Nullable String redisUrl;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "settings file (SEMEL_CONFIG; default semel.yml, if it exists)")
    private @Nullable Path config;

    @Option(
            names = "--print-port-file",
            paramLabel = "FILE",
            description = "write the port to this file once ready (SEMEL_PRINT_PORT_FILE, server.print_port_file)")
    private @Nullable String printPortFile;

    @Option(names = "--production", description = "require tokens and a secret (SEMEL_PRODUCTION, server.production)")
    private boolean production;

    @Option(
            names = "--no-migrate",
            description = "do not change the schema; refuse a database that lacks a table (SEMEL_MIGRATE=false,"
                    + " server.migrate: false)")
    private boolean noMigrate;

    @Option(
            names = "--log-format",
            paramLabel = "F",
            description = "text, or json: one object per line (SEMEL_LOG_FORMAT, log.format; default text)")
    private @Nullable String logFormat;

    @Option(names = "--print-config", description = "print the effective settings without secrets, and exit")
    private boolean printConfig;

    @Override
    public Integer call() {
        PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
        Settings settings = SettingsReader.read(options(), Optional.ofNullable(config), System.getenv());
        if (printConfig) {
            out.print(SettingsPrinter.print(settings));
            out.flush();
            return 0;
        }
        LogFormats.use(settings.logFormat());
        SemelServer server = SemelServer.start(settings);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server), "semel-stop"));
        ProcessSignals.stopNormally();
        ProcessSignals.on("HUP", () -> reload(server));
        out.print(Banner.of(settings, server.port()));
        out.flush();
        // Write the file last: everything else is ready when it appears.
        settings.server().printPortFile().ifPresent(file -> writePort(file, server.port()));
        return Main.KEEPS_RUNNING;
    }

    /** Keeps the settings in effect if the new ones are wrong. */
    private void reload(SemelServer server) {
        try {
            server.reload(SettingsReader.read(options(), Optional.ofNullable(config), System.getenv()));
        } catch (ConfigException e) {
            LOG.error("The settings were not reloaded: {}", e.getMessage());
        }
    }

    private Map<Setting, String> options() {
        Map<Setting, String> options = new EnumMap<>(Setting.class);
        put(options, Setting.PORT, port);
        put(options, Setting.HOST, host);
        put(options, Setting.DATA_DIR, dataDir);
        put(options, Setting.DATABASE_URL, databaseUrl);
        put(options, Setting.DATABASE_SCHEMA, databaseSchema);
        put(options, Setting.REDIS_URL, redisUrl);
        put(options, Setting.PRINT_PORT_FILE, printPortFile);
        put(options, Setting.PRODUCTION, production ? "true" : null);
        put(options, Setting.LOG_FORMAT, logFormat);
        put(options, Setting.MIGRATE, noMigrate ? "false" : null);
        return options;
    }

    private static void put(Map<Setting, String> options, Setting setting, @Nullable String value) {
        if (value != null) {
            options.put(setting, value);
        }
    }

    /** Writes the file atomically, so that readers never see a partial number. */
    static void writePort(Path file, int port) {
        try {
            Path written = Files.writeString(Path.of(file + ".part"), port + "\n");
            Files.move(written, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new ConfigException("Cannot write the port to %s (%s)"
                    .formatted(file, e.getClass().getSimpleName()));
        }
    }

    /** Shutdown hook. */
    private static void stop(SemelServer server) {
        LOG.info("Stopping; not ready from now on, running requests may finish");
        server.close();
        LOG.info("Stopped");
    }
}

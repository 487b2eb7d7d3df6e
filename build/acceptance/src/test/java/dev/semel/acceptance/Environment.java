// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import dev.semel.testservers.DatabaseKind;
import dev.semel.testservers.RedisServer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** The environments of the tests. Each has one server that all test classes share. */
enum Environment {
    SQLITE(DatabaseKind.SQLITE, false, false),
    POSTGRES(DatabaseKind.POSTGRESQL, false, false),
    MARIADB(DatabaseKind.MARIADB, false, false),
    POSTGRES_REDIS(DatabaseKind.POSTGRESQL, true, false),
    SQLITE_PRODUCTION(DatabaseKind.SQLITE, false, true),
    MARIADB_REDIS_PRODUCTION(DatabaseKind.MARIADB, true, true),
    /** A table in DynamoDB, which holds claims only. */
    DYNAMODB(null, false, false);

    /** MySQL takes the place of MariaDB in a build that tests MySQL only. */
    private static final DatabaseKind MARIADB_OR_MYSQL =
            DatabaseKind.tested().equals(List.of(DatabaseKind.MYSQL)) ? DatabaseKind.MYSQL : DatabaseKind.MARIADB;

    private static final Map<Environment, RunningServer> SHARED = new ConcurrentHashMap<>();
    private static final Map<Environment, RunningServer> SECONDS = new ConcurrentHashMap<>();

    private final DatabaseKind kind;
    private final boolean redis;
    final boolean production;

    Environment(DatabaseKind kind, boolean redis, boolean production) {
        this.kind = kind;
        this.redis = redis;
        this.production = production;
    }

    /** The server that all tests share. Do not stop it. */
    RunningServer shared() {
        return once(SHARED, () -> fresh(configuration()));
    }

    private Configuration configuration() {
        if (kind == null) {
            return Configuration.claimsOnly();
        }
        return production ? Configuration.production() : Configuration.development();
    }

    /** Another instance over the same database, shared as well. */
    RunningServer sharedSecond() {
        return once(SECONDS, () -> shared().second());
    }

    /** Started at first use, concurrently with others, and closed when this JVM ends. */
    private RunningServer once(Map<Environment, RunningServer> servers, Supplier<RunningServer> start) {
        return servers.computeIfAbsent(this, each -> {
            RunningServer server = start.get();
            Runtime.getRuntime().addShutdownHook(new Thread(server::close, "close shared server"));
            return server;
        });
    }

    /** A server for one test, over an empty database. */
    RunningServer fresh(Configuration configuration) {
        return fresh(configuration, List.of());
    }

    /** The same with more options of the JVM, which override earlier ones. */
    RunningServer fresh(Configuration configuration, List<String> flags) {
        if (kind == null) {
            return RunningServer.start(DynamoTable.create().launch(configuration), flags, configuration, null);
        }
        Database database =
                kind == DatabaseKind.SQLITE ? null : Database.on(database().sharedServer());
        return RunningServer.start(
                launch(configuration, database, redis ? RedisServer.shared() : null), flags, configuration, database);
    }

    /** The database that this environment has in this build. */
    DatabaseKind database() {
        return kind == DatabaseKind.MARIADB ? MARIADB_OR_MYSQL : kind;
    }

    /** A launch with this configuration. Without a database it uses the embedded one. */
    static Launch launch(Configuration configuration, Database database, RedisServer redis) {
        Path data = Scratch.folder("data");
        Launch launch = Launch.in(data)
                .with("--config", configuration.file().toString())
                .withVariable("IDEMPOTENCY_SECRET", Marks.text("idempotency-secret-of-more-than-32-bytes"));
        if (configuration.isProduction()) {
            launch = launch.with("--production");
        }
        if (database != null) {
            launch = launch.with("--database-url", database.url())
                    .withVariable("SEMEL_DATABASE_USER", database.user())
                    .withVariable("SEMEL_DATABASE_PASSWORD", database.password());
        }
        if (redis != null) {
            Marks.keepOutOfLogs(redis.password());
            launch = launch.withVariable("SEMEL_REDIS_URL", redis.uri());
        }
        return launch;
    }
}

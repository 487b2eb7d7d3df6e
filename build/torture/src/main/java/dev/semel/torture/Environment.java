// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.jdbc.SqliteFile;
import dev.semel.testservers.RedisServer;
import dev.semel.torture.faults.FaultKind;
import dev.semel.torture.faults.FileStore;
import dev.semel.torture.faults.MemoryStore;
import dev.semel.torture.faults.ServerStore;
import dev.semel.torture.faults.TortureStore;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The servers of a run, with their tables. Rounds share them. */
final class Environment implements AutoCloseable {
    private final TortureStore store;
    private final @Nullable RedisServer redis;

    private Environment(TortureStore store, @Nullable RedisServer redis) {
        this.store = store;
        this.redis = redis;
    }

    static Environment start(String name, Set<FaultKind> faults) throws IOException, SQLException {
        TortureStore store = switch (name) {
            case "postgresql" -> ServerStore.postgres();
            case "mariadb" -> ServerStore.mariaDb();
            case "sqlite" -> new FileStore();
            case "memory" -> new MemoryStore();
            default ->
                throw new IllegalArgumentException(
                        "There is no store '%s'; use sqlite, postgresql, mariadb or memory".formatted(name));
        };
        try {
            createTables(store);
            return new Environment(store, faults.contains(FaultKind.REDIS) ? RedisServer.start() : null);
        } catch (RuntimeException | SQLException e) {
            store.close();
            throw e;
        }
    }

    private static void createTables(TortureStore store) throws SQLException {
        if (store.url(0).isEmpty()) {
            return;
        }
        if (store.port() == 0) {
            try (SqliteFile file = SqliteFile.at(store.url(0), Duration.ofSeconds(5))) {
                new FinalTables(store).create(file);
            }
            return;
        }
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setJdbcUrl(store.url(store.port()));
            pool.setUsername(store.user());
            pool.setPassword(store.password());
            pool.setMaximumPoolSize(2);
            new FinalTables(store).create(pool);
        }
    }

    TortureStore store() {
        return store;
    }

    @Nullable
    RedisServer redis() {
        return redis;
    }

    @Override
    public void close() throws IOException {
        if (redis != null) {
            redis.close();
        }
        store.close();
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.work;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.semel.jdbc.SqliteFile;
import java.time.Duration;
import javax.sql.DataSource;

/** The connections of one engine. */
final class Pools {
    private static final int SIZE = 8;
    private static final Duration SQLITE_WAIT = Duration.ofSeconds(2);

    private Pools() {}

    static DataSource of(WorkerSettings settings) {
        return of(settings, Bounds.POOL);
    }

    /** @param wait how long a caller waits for a connection */
    static DataSource of(WorkerSettings settings, Duration wait) {
        if (settings.url().startsWith("jdbc:sqlite:")) {
            return SqliteFile.at(settings.url(), SQLITE_WAIT);
        }
        if (settings.plainPool()) {
            return new PlainPool(settings.url(), settings.user(), settings.password(), SIZE, wait);
        }
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(settings.url());
        config.setUsername(settings.user());
        config.setPassword(settings.password());
        config.setMaximumPoolSize(SIZE);
        config.setMinimumIdle(0);
        config.setConnectionTimeout(wait.toMillis());
        config.setValidationTimeout(500);
        config.setInitializationFailTimeout(-1);
        DataSource pool = new HikariDataSource(config);
        return settings.dirtyPool() ? new DirtyPool(pool) : pool;
    }
}

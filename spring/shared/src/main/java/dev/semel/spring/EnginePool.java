// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.semel.spring.SemelProperties.PoolMode;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.util.ClassUtils;

/**
 * The connections of the engine. With a pool of its own the engine always gets one, even while callers hold all connections of
 * the application's pool.
 */
final class EnginePool implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EnginePool.class);

    private final DataSource dataSource;
    private final boolean own;
    private final String description;
    private final Runnable close;

    private EnginePool(DataSource dataSource, boolean own, String description, Runnable close) {
        this.dataSource = dataSource;
        this.own = own;
        this.description = description;
        this.close = close;
    }

    static EnginePool of(SemelProperties properties, DataSource application) {
        boolean hikari = ClassUtils.isPresent("com.zaxxer.hikari.HikariDataSource", EnginePool.class.getClassLoader());
        HikariDataSource source = hikari ? hikariIn(application) : null;
        if (properties.pool() == PoolMode.OWN && source != null && isCopyable(source)) {
            HikariDataSource own = copy(source, properties);
            return new EnginePool(own, true, "database, own pool of " + properties.poolSize(), own::close);
        }
        return shared(properties, application, source);
    }

    private static EnginePool shared(
            SemelProperties properties, DataSource application, @Nullable HikariDataSource source) {
        String size = source == null ? "" : " of its " + source.getMaximumPoolSize();
        LOG.info(
                "Semel shares the application's pool and takes up to {}{} connections (semel.pool-size). Callers that hold a"
                        + " connection while they wait for Semel can use up the rest: {}",
                properties.poolSize(),
                size,
                properties.pool() == PoolMode.OWN
                        ? "a pool of its own needs a plain HikariDataSource on a database server"
                        : "remove semel.pool=shared to give Semel a pool of its own");
        return new EnginePool(application, false, "database, shared pool", () -> {});
    }

    /** The pool behind the proxies that libraries wrap around a data source. */
    private static @Nullable HikariDataSource hikariIn(DataSource dataSource) {
        if (dataSource instanceof HikariDataSource hikari) {
            return hikari;
        }
        if (ClassUtils.isPresent(
                        "org.springframework.jdbc.datasource.DelegatingDataSource", EnginePool.class.getClassLoader())
                && dataSource instanceof DelegatingDataSource delegating
                && delegating.getTargetDataSource() != null) {
            return hikariIn(Objects.requireNonNull(delegating.getTargetDataSource()));
        }
        try {
            return dataSource.isWrapperFor(HikariDataSource.class) ? dataSource.unwrap(HikariDataSource.class) : null;
        } catch (SQLException e) {
            return null;
        }
    }

    /**
     * Not a subclass, which may compute its password, for example a token that expires. Not SQLite, whose files have one writer
     * and whose databases in memory belong to one pool.
     */
    private static boolean isCopyable(HikariDataSource source) {
        boolean sqlite = source.getJdbcUrl() != null && source.getJdbcUrl().startsWith("jdbc:sqlite:");
        return source.getClass() == HikariDataSource.class && !sqlite;
    }

    private static HikariDataSource copy(HikariDataSource source, SemelProperties properties) {
        HikariConfig config = new HikariConfig();
        source.copyStateTo(config);
        config.setPoolName("semel");
        config.setMaximumPoolSize(properties.poolSize());
        config.setMinimumIdle(1);
        config.setConnectionTimeout(Math.max(250, properties.storeTimeout().toMillis()));
        // The engine's statements are transactions of their own, whatever the application's pool is set to.
        config.setAutoCommit(true);
        config.setReadOnly(false);
        config.setTransactionIsolation(null);
        config.setRegisterMbeans(false);
        // The first statement reports a database that cannot be reached, with the fix.
        config.setInitializationFailTimeout(-1);
        return new OwnPool(config, source);
    }

    /**
     * Uses the user and password that the application's pool has now: both may be changed while it runs, when credentials are
     * rotated.
     */
    private static final class OwnPool extends HikariDataSource {
        private final HikariDataSource application;

        /** Opens no connection before the first claim, so that the application starts faster. */
        OwnPool(HikariConfig config, HikariDataSource application) {
            config.copyStateTo(this);
            this.application = application;
        }

        @Override
        public Connection getConnection() throws SQLException {
            if (!Objects.equals(getUsername(), application.getUsername())) {
                setUsername(application.getUsername());
            }
            if (!Objects.equals(getPassword(), application.getPassword())) {
                setPassword(application.getPassword());
            }
            return super.getConnection();
        }
    }

    DataSource dataSource() {
        return dataSource;
    }

    /** Whether it is a copy of the application's HikariCP pool. */
    boolean isOwn() {
        return own;
    }

    String description() {
        return description;
    }

    @Override
    public void close() {
        close.run();
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.work;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A data source of which only {@link #getConnection()} is used. */
abstract class SimpleDataSource implements DataSource {
    @Override
    public final Connection getConnection(String username, String password) throws SQLException {
        return getConnection();
    }

    @Override
    public final @Nullable PrintWriter getLogWriter() {
        return null;
    }

    @Override
    public final void setLogWriter(PrintWriter out) {}

    @Override
    public final void setLoginTimeout(int seconds) {}

    @Override
    public final int getLoginTimeout() {
        return 0;
    }

    @Override
    public final Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        throw new SQLException("Not a wrapper of " + type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) throws SQLException {
        return false;
    }
}

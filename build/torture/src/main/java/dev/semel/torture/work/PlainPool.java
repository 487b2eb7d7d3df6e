// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.work;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A pool that tests no connection before it hands it out, resets nothing, and hides no error of the driver. It only drops those
 * that are closed when they come back.
 */
final class PlainPool extends SimpleDataSource {
    private final String url;
    private final String user;
    private final String password;
    private final Duration wait;
    private final Semaphore places;
    private final ConcurrentLinkedDeque<Connection> idle = new ConcurrentLinkedDeque<>();

    /** @param wait how long a caller waits for a connection */
    PlainPool(String url, String user, String password, int size, Duration wait) {
        this.url = url;
        this.user = user;
        this.password = password;
        this.places = new Semaphore(size);
        this.wait = wait;
    }

    @Override
    public Connection getConnection() throws SQLException {
        try {
            if (!places.tryAcquire(wait.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new SQLTransientConnectionException("No connection is free");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLTransientConnectionException("Interrupted while waiting for a connection", e);
        }
        boolean lent = false;
        try {
            Connection reused = idle.poll();
            Connection connection = lent(reused == null ? DriverManager.getConnection(url, user, password) : reused);
            lent = true;
            return connection;
        } finally {
            if (!lent) {
                places.release();
            }
        }
    }

    private Connection lent(Connection connection) {
        AtomicBoolean returned = new AtomicBoolean();
        return (Connection) Proxy.newProxyInstance(
                PlainPool.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("close")) {
                        if (returned.compareAndSet(false, true)) {
                            takeBack(connection);
                        }
                        return null;
                    }
                    try {
                        return method.invoke(connection, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private void takeBack(Connection connection) throws SQLException {
        try {
            if (!connection.isClosed()) {
                idle.push(connection);
            }
        } finally {
            places.release();
        }
    }
}

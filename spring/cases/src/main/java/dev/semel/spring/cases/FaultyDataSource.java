// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.cases;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** Loses the answer of a commit that took effect. If the test asks for it, all later connections are refused. */
final class FaultyDataSource extends DelegatingDataSource {
    private final AtomicBoolean loseNextCommit = new AtomicBoolean();
    private final AtomicInteger broken = new AtomicInteger();
    private volatile boolean thenDown;
    private volatile int thenBroken;
    private volatile boolean down;

    FaultyDataSource(DataSource target) {
        super(target);
    }

    void loseNextCommit(boolean andRefuseConnections) {
        thenDown = andRefuseConnections;
        loseNextCommit.set(true);
    }

    /** The next connections after the lost commit break at their first statement. */
    void loseNextCommitAndBreak(int connections) {
        thenBroken = connections;
        loseNextCommit(false);
    }

    void recover() {
        down = false;
    }

    @Override
    public Connection getConnection() throws SQLException {
        if (down) {
            throw new SQLException("The test refuses connections", "08001");
        }
        Connection real = super.getConnection();
        boolean breaks = broken.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
        return (Connection) Proxy.newProxyInstance(
                FaultyDataSource.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) -> {
                    if (breaks && method.getName().equals("prepareStatement")) {
                        throw new SQLException("The test breaks the connection", "08006");
                    }
                    Object answer;
                    try {
                        answer = method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getTargetException();
                    }
                    if (method.getName().equals("commit") && loseNextCommit.getAndSet(false)) {
                        down = thenDown;
                        broken.set(thenBroken);
                        thenBroken = 0;
                        throw new SQLException("The test loses the answer of the commit", "08006");
                    }
                    return answer;
                });
    }
}

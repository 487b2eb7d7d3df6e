// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.faults;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.Set;

/** The store in memory: one process, several engines. Its network faults happen inside the worker. */
public final class MemoryStore implements TortureStore {
    private static final Set<FaultKind> FAULTS =
            EnumSet.of(FaultKind.PAUSE, FaultKind.LOST_ANSWER, FaultKind.REDIS, FaultKind.CLOCK);

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public String url(int port) {
        return "";
    }

    @Override
    public FinalState finalState() {
        return FinalState.NONE;
    }

    @Override
    public Connection connect() throws SQLException {
        throw new SQLException("The store in memory has no connections");
    }

    @Override
    public boolean can(FaultKind kind) {
        return FAULTS.contains(kind);
    }

    @Override
    public void close() {}
}

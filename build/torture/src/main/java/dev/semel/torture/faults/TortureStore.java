// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.faults;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.SplittableRandom;

/** The database that the workers share. */
public interface TortureStore extends AutoCloseable {
    /** As the command line spells it. */
    String name();

    /** Its URL by way of this port; empty for memory. */
    String url(int port);

    /** The port of the server itself; 0 if there is none. */
    int port();

    String user();

    String password();

    /** A connection that no fault affects. */
    Connection connect() throws SQLException;

    /** A connection to the same server, but to another database; the same one on SQLite. */
    Connection connectElsewhere() throws SQLException;

    /** Ends a session that the workers have. */
    void endSession(SplittableRandom random) throws SQLException;

    /** Kills the server and restarts it. */
    void crash() throws InterruptedException;

    /** Whether these faults can happen to it. */
    boolean can(FaultKind kind);

    @Override
    void close() throws IOException;
}

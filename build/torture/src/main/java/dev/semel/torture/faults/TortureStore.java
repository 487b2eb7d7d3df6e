// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.faults;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;

/** The database that the workers share. By default one without a server. */
public interface TortureStore extends AutoCloseable {
    /** As the command line spells it. */
    String name();

    /** Its URL by way of this port; empty for memory. */
    String url(int port);

    /** The port of the server itself; 0 if there is none. */
    default int port() {
        return 0;
    }

    /** The port that this worker's next connection leads to: of a cluster, that of a node that accepts writes. */
    default int port(int worker) {
        return port();
    }

    /** Whether it is a SQL database. */
    default boolean hasSql() {
        return true;
    }

    default String user() {
        return "";
    }

    default String password() {
        return "";
    }

    /** A connection that no fault affects. */
    Connection connect() throws SQLException;

    /** A connection to the same server, but to another database; the same one on SQLite. */
    default Connection connectElsewhere() throws SQLException {
        return connect();
    }

    /** Statements of this session wait for a lock for about a second. */
    default void limitLockWait(Statement statement) throws SQLException {}

    /** The file system of its own that its files are in. */
    default Optional<SmallDisk> disk() {
        return Optional.empty();
    }

    /** Ends a session that the workers have. */
    default void endSession(SplittableRandom random) throws SQLException {}

    /** Kills the server and restarts it. */
    default void crash() throws InterruptedException {}

    /** Makes the server stand still for so long. */
    default void stall(Duration duration) throws InterruptedException {}

    /** Separates a node of a cluster from the others for so long, and waits until it is a member again. */
    default void partition(SplittableRandom random, Duration duration) throws InterruptedException {}

    /** Restarts the server if it has ended, for example because its disk was full. Returns whether it had. */
    default boolean revive() throws InterruptedException {
        return false;
    }

    /** The service misbehaves for so long, in this share of its answers. */
    default void misbehave(FaultKind kind, int percent, Duration duration) {}

    /** Ends what the service does wrong. */
    default void heal() {}

    /** What it holds after a round. */
    default FinalState finalState() {
        return new FinalTables(this);
    }

    /** Whether these faults can happen to it. */
    boolean can(FaultKind kind);

    @Override
    void close() throws IOException;
}

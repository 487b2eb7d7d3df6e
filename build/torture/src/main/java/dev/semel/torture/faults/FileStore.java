// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** A SQLite file that all workers open. */
public final class FileStore implements TortureStore {
    private static final Set<FaultKind> FAULTS =
            EnumSet.of(FaultKind.KILL, FaultKind.PAUSE, FaultKind.LOCK, FaultKind.REDIS, FaultKind.CLOCK);

    private final Path folder;

    public FileStore() throws IOException {
        this.folder = Files.createTempDirectory("semel-torture-sqlite-");
    }

    @Override
    public String name() {
        return "sqlite";
    }

    @Override
    public String url(int port) {
        return "jdbc:sqlite:" + folder.resolve("torture.db");
    }

    @Override
    public int port() {
        return 0;
    }

    @Override
    public String user() {
        return "";
    }

    @Override
    public String password() {
        return "";
    }

    @Override
    public Connection connect() throws SQLException {
        return DriverManager.getConnection(url(0) + "?busy_timeout=20000&transaction_mode=IMMEDIATE");
    }

    @Override
    public Connection connectElsewhere() throws SQLException {
        return connect();
    }

    @Override
    public void endSession(SplittableRandom random) {}

    @Override
    public void crash() {}

    @Override
    public boolean can(FaultKind kind) {
        return FAULTS.contains(kind);
    }

    @Override
    public void close() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** A SQLite file that all workers open. */
public final class FileStore implements TortureStore {
    private static final Set<FaultKind> FAULTS =
            EnumSet.of(FaultKind.KILL, FaultKind.PAUSE, FaultKind.LOCK, FaultKind.REDIS, FaultKind.CLOCK);

    private final Optional<SmallDisk> disk;
    private final Path folder;

    /** A new file on this disk, or in a temporary folder. */
    public FileStore(Optional<SmallDisk> disk) throws IOException {
        this.disk = disk;
        this.folder = disk.isPresent()
                ? Files.createTempDirectory(disk.get().path(), "sqlite-")
                : Files.createTempDirectory("semel-torture-sqlite-");
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
    public Connection connect() throws SQLException {
        return DriverManager.getConnection(url(0) + "?busy_timeout=20000&transaction_mode=IMMEDIATE");
    }

    @Override
    public Optional<SmallDisk> disk() {
        return disk;
    }

    @Override
    public boolean can(FaultKind kind) {
        return FAULTS.contains(kind) || (kind == FaultKind.DISK_FULL && disk.isPresent());
    }

    @Override
    public void close() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
        if (disk.isPresent()) {
            disk.get().close();
        }
    }
}

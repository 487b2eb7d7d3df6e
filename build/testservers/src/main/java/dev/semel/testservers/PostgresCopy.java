// SPDX-License-Identifier: Apache-2.0
package dev.semel.testservers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;

/** Copies the files of a running PostgreSQL, as PostgreSQL's manual describes for a base backup without tools. */
final class PostgresCopy {
    /** What the copy makes itself, or receives from the primary. */
    private static final Set<String> LEFT_OUT = Set.of("postmaster.pid", "postmaster.opts");

    private static final Set<String> WITHOUT_FILES = Set.of("pg_wal", "pg_replslot", "pg_stat_tmp", "pg_dynshmem");

    private PostgresCopy() {}

    /** Makes a standby's folder. Files keep their owner and permissions. */
    static void standbyOf(Connection primary, Path from, Path to) {
        try (Statement statement = primary.createStatement()) {
            statement.execute("SELECT pg_backup_start('standby', true)");
            copy(from, to);
            try (ResultSet rows = statement.executeQuery("SELECT labelfile FROM pg_backup_stop(false)")) {
                rows.next();
                write(to, "backup_label", rows.getString(1));
            }
            write(to, "standby.signal", "");
        } catch (SQLException e) {
            throw new IllegalStateException("The primary cannot be copied", e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void write(Path folder, String name, String text) throws IOException {
        // A copy of a file that exists, so that it has the right owner.
        Path file = folder.resolve(name);
        Files.copy(folder.resolve("PG_VERSION"), file, StandardCopyOption.COPY_ATTRIBUTES);
        Files.writeString(file, text);
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.walkFileTree(from, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) throws IOException {
                Files.copy(folder, to.resolve(from.relativize(folder)), StandardCopyOption.COPY_ATTRIBUTES);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Path name = from.relativize(file);
                if (!LEFT_OUT.contains(name.toString())
                        && !WITHOUT_FILES.contains(name.getName(0).toString())) {
                    try {
                        Files.copy(file, to.resolve(name), StandardCopyOption.COPY_ATTRIBUTES);
                    } catch (NoSuchFileException e) {
                        // The primary deleted it meanwhile. The log that the standby receives says so too.
                        return FileVisitResult.CONTINUE;
                    }
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
                if (failure instanceof NoSuchFileException) {
                    return FileVisitResult.CONTINUE;
                }
                throw failure;
            }
        });
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.storage;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Folders and files that only their owner may look into, where the file system knows owners. */
final class DataFolder {
    private static final Logger LOG = LoggerFactory.getLogger(DataFolder.class);
    private static final String FOLDER = "rwx------";
    private static final String FILE = "rw-------";
    private static final boolean POSIX =
            FileSystems.getDefault().supportedFileAttributeViews().contains("posix");

    /** SQLite's own files beside the database. */
    private static final String[] BESIDE = {"-wal", "-shm", "-journal"};

    private DataFolder() {}

    /** Makes the folder if it is not there; one that is there stays as it is. */
    static void make(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            Files.createDirectories(folder, ownerOnly(FOLDER));
        }
    }

    /** What a file is created with. */
    static FileAttribute<?>[] ownerOnly() {
        return ownerOnly(FILE);
    }

    private static FileAttribute<?>[] ownerOnly(String permissions) {
        return POSIX
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }

    /**
     * Prepares the place of an SQLite database: folder, file, and what a process that was killed left beside it. SQLite
     * gives the files that it makes beside a database the database's own permissions, whatever the umask is.
     *
     * @throws IOException if the file cannot be made, or is no file
     */
    static void prepareDatabase(Path file) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null) {
            make(folder);
            warnIfOpen(folder);
        }
        try {
            Files.createFile(file, ownerOnly());
        } catch (FileAlreadyExistsException e) {
            if (!Files.isRegularFile(file)) {
                throw e;
            }
        }
        tighten(file);
        for (String suffix : BESIDE) {
            tighten(file.resolveSibling(file.getFileName() + suffix));
        }
    }

    /** Takes all rights from others, and gives the owner those that a umask may have left out. */
    static void tighten(Path file) throws IOException {
        Set<PosixFilePermission> wanted = PosixFilePermissions.fromString(FILE);
        if (!POSIX
                || !Files.isRegularFile(file)
                || Files.getPosixFilePermissions(file).equals(wanted)) {
            return;
        }
        try {
            Files.setPosixFilePermissions(file, wanted);
        } catch (IOException e) {
            // Another user's file: it can be used, and only its owner can change who may read it.
            LOG.atWarn()
                    .addKeyValue("file", file)
                    .addKeyValue("mode", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .log("Other users may read a file of the database: its owner should chmod 600 it");
        }
    }

    /** The files in it are private, but others can list the folder, or even replace the files. */
    private static void warnIfOpen(Path folder) throws IOException {
        if (!POSIX) {
            return;
        }
        Set<PosixFilePermission> now = Files.getPosixFilePermissions(folder);
        if (now.contains(PosixFilePermission.OTHERS_READ) || now.contains(PosixFilePermission.OTHERS_WRITE)) {
            LOG.atWarn()
                    .addKeyValue("folder", folder)
                    .addKeyValue("mode", PosixFilePermissions.toString(now))
                    .log(
                            now.contains(PosixFilePermission.OTHERS_WRITE)
                                    ? "The data folder can be changed by other users, who can replace its files: chmod 700 it"
                                    : "The data folder can be listed by other users: chmod 700 it");
        }
    }
}

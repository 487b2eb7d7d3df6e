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

/** Creates folders and files that only their owner can access, on file systems with POSIX permissions. */
final class DataFolder {
    private static final Logger LOG = LoggerFactory.getLogger(DataFolder.class);
    private static final String FOLDER = "rwx------";
    private static final String FILE = "rw-------";
    private static final boolean POSIX =
            FileSystems.getDefault().supportedFileAttributeViews().contains("posix");

    /** The suffixes of SQLite's files next to the database. */
    private static final String[] BESIDE = {"-wal", "-shm", "-journal"};

    private DataFolder() {}

    /** Creates the folder. An existing folder is not changed. */
    static void create(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            Files.createDirectories(folder, ownerOnly(FOLDER));
        }
    }

    /** Returns the attributes for new files. */
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
     * Prepares the files of an SQLite database: the folder, the file, and files that a killed process left next to it.
     * SQLite gives new files next to a database the permissions of the database, regardless of the umask.
     *
     * @throws IOException if the file cannot be created or is not a regular file
     */
    static void prepareDatabase(Path file) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null) {
            create(folder);
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

    /** Restricts the file to its owner, who gets full access even if the umask was stricter. */
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
            // The file belongs to another user. It can be used, but only its owner can change its permissions.
            String mode = PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
            LOG.atWarn()
                    .addKeyValue("file", file)
                    .addKeyValue("mode", mode)
                    .log(
                            "Other users can read a file of the database: {} ({}). Its owner should run chmod 600 on it",
                            file,
                            mode);
        }
    }

    /**
     * Warns about an open folder. The files are private, but others could list the folder or even replace the files.
     */
    private static void warnIfOpen(Path folder) throws IOException {
        if (!POSIX) {
            return;
        }
        Set<PosixFilePermission> now = Files.getPosixFilePermissions(folder);
        if (now.contains(PosixFilePermission.OTHERS_READ) || now.contains(PosixFilePermission.OTHERS_WRITE)) {
            String mode = PosixFilePermissions.toString(now);
            LOG.atWarn()
                    .addKeyValue("folder", folder)
                    .addKeyValue("mode", mode)
                    .log(
                            now.contains(PosixFilePermission.OTHERS_WRITE)
                                    ? "Other users can change the data folder {} ({}) and replace its files."
                                            + " Run chmod 700 on it"
                                    : "Other users can list the data folder {} ({}). Run chmod 700 on it",
                            folder,
                            mode);
        }
    }
}

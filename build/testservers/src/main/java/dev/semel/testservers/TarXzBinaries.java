// SPDX-License-Identifier: Apache-2.0
package dev.semel.testservers;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.tukaani.xz.XZInputStream;

/** The content of a compressed archive in a jar. */
record TarXzBinaries(String archive) implements Binaries {

    private static final int OWNER_EXECUTES = 0100;

    @Override
    public String key() throws IOException {
        try (BinariesJar jar = BinariesJar.holding(archive)) {
            return archive.replace(".txz", "") + "-" + jar.checksum(List.of(archive));
        }
    }

    @Override
    public void unpackInto(Path folder) throws IOException {
        try (BinariesJar jar = BinariesJar.holding(archive);
                InputStream in = jar.open(archive);
                TarArchiveInputStream tar = new TarArchiveInputStream(new XZInputStream(in))) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                Path path = folder.resolve(entry.getName()).normalize();
                if (!path.startsWith(folder)) {
                    throw new IOException("%s is outside of its folder in %s".formatted(entry.getName(), archive));
                }
                unpack(tar, entry, path);
            }
        }
    }

    private static void unpack(TarArchiveInputStream tar, TarArchiveEntry entry, Path path) throws IOException {
        if (entry.isDirectory()) {
            Files.createDirectories(path);
            return;
        }
        Files.createDirectories(path.getParent());
        if (entry.isSymbolicLink()) {
            Files.createSymbolicLink(path, Path.of(entry.getLinkName()));
        } else if (entry.isFile()) {
            Files.copy(tar, path);
            boolean executable = (entry.getMode() & OWNER_EXECUTES) != 0;
            Files.setPosixFilePermissions(
                    path, PosixFilePermissions.fromString(executable ? "rwxr-xr-x" : "rw-r--r--"));
        } else {
            throw new IOException("%s is not a file, a folder or a symbolic link".formatted(entry.getName()));
        }
    }
}

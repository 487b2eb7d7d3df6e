// SPDX-License-Identifier: Apache-2.0
package dev.semel.testservers;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/**
 * Uncompressed files of a jar.
 *
 * @param folder their folder in the jar, ending in a slash, or empty
 * @param names their paths in that folder
 */
record JarBinaries(String folder, List<String> names) implements Binaries {

    JarBinaries {
        names = List.copyOf(names);
        if (names.isEmpty() || !(folder.isEmpty() || folder.endsWith("/"))) {
            throw new IllegalArgumentException("Invalid paths of a jar: %s in %s".formatted(names, folder));
        }
    }

    @Override
    public String key() throws IOException {
        try (BinariesJar jar = jar()) {
            String program = Path.of(names.get(0)).getFileName().toString();
            return program + "-"
                    + jar.checksum(names.stream().map(folder::concat).toList());
        }
    }

    @Override
    public void unpackInto(Path target) throws IOException {
        try (BinariesJar jar = jar()) {
            for (String name : names) {
                Path file = target.resolve(name);
                Files.createDirectories(file.getParent());
                try (InputStream in = jar.open(folder + name)) {
                    Files.copy(in, file);
                }
                // A jar does not record which files are executable.
                Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
            }
        }
    }

    private BinariesJar jar() throws IOException {
        return BinariesJar.holding(folder + names.get(0));
    }
}

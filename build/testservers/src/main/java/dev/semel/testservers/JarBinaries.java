// SPDX-License-Identifier: Apache-2.0
package dev.semel.testservers;

import java.io.IOException;
import java.nio.file.Path;
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
            jar.unpack(folder, names, target);
        }
    }

    private BinariesJar jar() throws IOException {
        return BinariesJar.holding(folder + names.get(0));
    }
}

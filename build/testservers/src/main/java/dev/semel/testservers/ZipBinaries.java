// SPDX-License-Identifier: Apache-2.0
package dev.semel.testservers;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;

/**
 * Files of an archive that is too large for the class path.
 *
 * @param archive a zip file
 * @param names their paths in it
 */
record ZipBinaries(Path archive, List<String> names) implements Binaries {

    ZipBinaries {
        names = List.copyOf(names);
    }

    @Override
    public String key() throws IOException {
        try (BinariesJar zip = zip()) {
            return Path.of(names.get(0)).getFileName() + "-" + zip.checksum(names);
        }
    }

    @Override
    public void unpackInto(Path target) throws IOException {
        try (BinariesJar zip = zip()) {
            zip.unpack("", names, target);
        }
    }

    private BinariesJar zip() throws IOException {
        return new BinariesJar(new JarFile(archive.toFile()));
    }
}

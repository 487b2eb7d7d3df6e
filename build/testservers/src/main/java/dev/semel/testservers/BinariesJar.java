// SPDX-License-Identifier: Apache-2.0
package dev.semel.testservers;

import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.zip.CRC32;

/** The jar on the class path that holds an artifact's binaries. */
record BinariesJar(JarFile file) implements Closeable {

    static BinariesJar holding(String name) throws IOException {
        URL url = BinariesJar.class.getResource("/" + name);
        if (url == null) {
            throw new FileNotFoundException("%s is not on the class path; add the artifact that has it for %s %s"
                    .formatted(name, System.getProperty("os.name"), System.getProperty("os.arch")));
        }
        JarURLConnection connection = (JarURLConnection) url.openConnection();
        // A cached file would be shared with the class loader, and closing it would break the class loader.
        connection.setUseCaches(false);
        return new BinariesJar(connection.getJarFile());
    }

    InputStream open(String name) throws IOException {
        return file.getInputStream(entry(name));
    }

    /** Read from the checksums in the jar's directory, without reading the files. */
    String checksum(List<String> names) throws IOException {
        CRC32 checksum = new CRC32();
        for (String name : names) {
            JarEntry entry = entry(name);
            checksum.update("%s %d %d\n"
                    .formatted(name, entry.getCrc(), entry.getSize())
                    .getBytes(StandardCharsets.UTF_8));
        }
        return "%08x".formatted(checksum.getValue());
    }

    /** Copies these files of a folder in the jar, and makes them executable. */
    void unpack(String folder, List<String> names, Path target) throws IOException {
        for (String name : names) {
            Path file = target.resolve(name);
            Files.createDirectories(file.getParent());
            try (InputStream in = open(folder + name)) {
                Files.copy(in, file);
            }
            // A jar does not record which files are executable.
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
    }

    private JarEntry entry(String name) throws IOException {
        JarEntry entry = file.getJarEntry(name);
        if (entry == null) {
            throw new FileNotFoundException("No %s in %s".formatted(name, file.getName()));
        }
        return entry;
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}

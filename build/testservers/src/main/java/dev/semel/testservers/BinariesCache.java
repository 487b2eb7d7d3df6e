// SPDX-License-Identifier: Apache-2.0
package dev.semel.testservers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;

/**
 * A folder with the unpacked binaries, shared by all JVMs of a user.
 *
 * <p>Its content is always complete: binaries are unpacked next to it and moved in atomically. If several JVMs unpack at the
 * same time, the first move wins and the others use its result.
 */
record BinariesCache(Path root) {

    static BinariesCache ofThisUser() {
        return new BinariesCache(Path.of(System.getProperty("java.io.tmpdir"), "semel-testservers-" + User.id())
                .toAbsolutePath());
    }

    /** Returns the folder with these binaries. */
    Path unpacked(Binaries binaries) {
        try {
            Path home = root.resolve(binaries.key());
            createRoot();
            if (!Files.exists(home)) {
                unpack(binaries, home);
            }
            return home;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void createRoot() throws IOException {
        Files.createDirectories(root);
        if (!Files.getAttribute(root, "unix:uid", LinkOption.NOFOLLOW_LINKS).equals(User.id())) {
            throw new IOException("%s belongs to another user; its programs are not run".formatted(root));
        }
        makeReadable(root);
    }

    private void unpack(Binaries binaries, Path home) throws IOException {
        try (ScratchFolder scratch = ScratchFolder.in(root, "unpacking-")) {
            Path content = Files.createDirectory(scratch.path().resolve("content"));
            binaries.unpackInto(content);
            try (Stream<Path> all = Files.walk(content)) {
                for (Path folder : all.filter(Files::isDirectory).toList()) {
                    makeReadable(folder);
                }
            }
            try {
                Files.move(content, home, StandardCopyOption.ATOMIC_MOVE);
            } catch (IOException e) {
                if (!Files.exists(home)) {
                    throw e;
                }
            }
        }
    }

    /** For root, PostgreSQL runs as another user, who must be able to read the files regardless of our umask. */
    private static void makeReadable(Path folder) throws IOException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}

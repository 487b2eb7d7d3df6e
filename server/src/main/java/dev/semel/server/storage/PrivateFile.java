// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.storage;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Creates files that only their owner can read. */
public final class PrivateFile {
    private PrivateFile() {}

    /**
     * Creates an empty file.
     *
     * @throws FileAlreadyExistsException if it exists
     */
    public static void create(Path file) throws IOException {
        Files.createFile(file, DataFolder.ownerOnly());
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.storage;

import dev.semel.key.Secret;
import dev.semel.server.config.ConfigException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Set;

/** The secret of development mode. It is created once and stored next to the data, readable only by its owner. */
final class SecretFile {
    private static final String NAME = "secret";

    private SecretFile() {}

    /** Returns whether the folder has a secret. */
    static boolean isIn(Path folder) {
        return Files.exists(folder.resolve(NAME));
    }

    static Secret in(Path folder) {
        Path file = folder.resolve(NAME);
        try {
            DataFolder.create(folder);
            if (!Files.exists(file)) {
                create(file);
            }
            DataFolder.tighten(file);
            String text = Files.readString(file, StandardCharsets.US_ASCII).strip();
            if (!text.matches("[0-9a-f]{64}")) {
                throw new ConfigException(("%s must contain 64 hexadecimal digits, but does not: restore the file that"
                                + " the data was created with")
                        .formatted(file));
            }
            return Secret.of(text);
        } catch (IOException e) {
            throw new ConfigException(
                    "The secret cannot be stored in %s (%s): make the folder writable, or set --data-dir"
                            .formatted(folder, e.getClass().getSimpleName()));
        }
    }

    private static void create(Path file) throws IOException {
        byte[] random = new byte[Secret.MIN_BYTES];
        new SecureRandom().nextBytes(random);
        byte[] text = (HexFormat.of().formatHex(random) + "\n").getBytes(StandardCharsets.US_ASCII);
        try (SeekableByteChannel channel = Files.newByteChannel(
                file, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), DataFolder.ownerOnly())) {
            channel.write(ByteBuffer.wrap(text));
        } catch (FileAlreadyExistsException e) {
            // Another process created the file first. Its secret is used.
        }
    }
}

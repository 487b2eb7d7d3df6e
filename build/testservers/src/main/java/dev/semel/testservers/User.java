// SPDX-License-Identifier: Apache-2.0
package dev.semel.testservers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The user that this JVM runs as. */
final class User {

    private static final int ID = ownerOfNewFile();

    private User() {}

    static int id() {
        return ID;
    }

    static boolean isRoot() {
        return ID == 0;
    }

    /** The JDK's UnixSystem reports root for a user without a name, which is common in containers. */
    private static int ownerOfNewFile() {
        try {
            Path file = Files.createTempFile("semel-user-", "");
            try {
                return (Integer) Files.getAttribute(file, "unix:uid");
            } finally {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

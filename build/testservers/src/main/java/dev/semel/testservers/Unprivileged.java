// SPDX-License-Identifier: Apache-2.0
package dev.semel.testservers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What to put before a command so that it does not run as root, which PostgreSQL refuses to.
 *
 * <p>For root there are two ways, tried on the program itself, because each fails somewhere. The first becomes the user
 * nobody, to whom the folder is given; it needs the capability to change users, and a temporary folder that nobody can
 * reach. The second stays the same user in the eyes of the file system, and is in a user namespace of its own where it
 * is not root; it needs a kernel that lets containers do that. Any other user needs neither.
 */
final class Unprivileged {

    private static final int ROOT = 0;
    private static final int NOBODY = 65534;
    private static final List<String> AS_NOBODY =
            List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups", "--");
    private static final List<String> IN_NAMESPACE = List.of("unshare", "--user", "--");

    private Unprivileged() {}

    static List<String> prefix(Path program, Path folder) {
        if (!User.isRoot()) {
            return List.of();
        }
        if (give(folder, NOBODY) && runs(AS_NOBODY, program)) {
            return AS_NOBODY;
        }
        if (give(folder, ROOT) && runs(IN_NAMESPACE, program)) {
            return IN_NAMESPACE;
        }
        throw new IllegalStateException("Cannot run %s as root, and neither %s nor %s works here: use another user"
                .formatted(program, AS_NOBODY.get(0), IN_NAMESPACE.get(0)));
    }

    private static boolean give(Path folder, int user) {
        try {
            Files.setAttribute(folder, "unix:uid", user);
            return true;
        } catch (IOException denied) {
            return false;
        }
    }

    private static boolean runs(List<String> prefix, Path program) {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(List.of(program.toString(), "--version"));
        return Programs.succeeds(command);
    }
}

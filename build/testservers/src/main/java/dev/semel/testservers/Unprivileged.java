// SPDX-License-Identifier: Apache-2.0
package dev.semel.testservers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The prefix of a command that must not run as root. PostgreSQL refuses to run as root.
 *
 * <p>Root has two ways. Both are tried with the program itself, because each fails in some environments. The first changes
 * to the user {@code nobody}, who becomes the owner of the folder. It needs the capability to change users, and a temporary
 * folder that this user can reach. The second runs in a new user namespace, in which the process is not root although the
 * file system sees the same user. It needs a kernel that allows this in containers. Other users need no prefix.
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
        throw new IllegalStateException(
                "%s cannot run as root, and neither %s nor %s works here; run the tests as another user"
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

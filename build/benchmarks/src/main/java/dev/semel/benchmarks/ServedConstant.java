// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Runs {@link ConstantServer} as the launcher runs the server, with the Vert.x of the server's jar. This process has no
 * Vert.x on its class path, so it must not load that class.
 */
final class ServedConstant {
    private ServedConstant() {}

    /** Starts it in a separate process, with responses of this length. */
    static JavaServer start(int length) throws IOException {
        return JavaServer.start(Map.of(), folder -> {
            List<String> command = new ArrayList<>(Launcher.java());
            command.addAll(List.of(
                    "--class-path",
                    Launcher.jar() + File.pathSeparator + here(),
                    "dev.semel.benchmarks.ConstantServer",
                    JavaServer.portFile(folder).toString(),
                    Integer.toString(length)));
            return command;
        });
    }

    private static Path here() {
        try {
            return Path.of(ServedConstant.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.browser;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Starts the server's jar. */
final class JarServer {
    private JarServer() {}

    /**
     * Starts a server and waits until it is ready.
     *
     * @param folder for its data and its log
     * @param options more options of {@code serve}
     */
    static JvmServer start(Path jar, Path folder, List<String> options) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(
                List.of("serve", "--data-dir", folder.resolve("data").toString()));
        all.addAll(options);
        return run(jar, folder, all);
    }

    /** Starts the demo, which has traffic and a temporary folder of its own. */
    static JvmServer demo(Path jar, Path folder) throws IOException, InterruptedException {
        return run(jar, folder, List.of("demo"));
    }

    private static JvmServer run(Path jar, Path folder, List<String> words) throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(List.of("-jar", jar.toString()));
        arguments.addAll(words);
        arguments.addAll(List.of(
                "--port", "0", "--print-port-file", JvmServer.portFile(folder).toString()));
        return JvmServer.start(arguments, folder);
    }

    /** The SQLite file of a server that was started with {@link #start}. */
    static Path database(JvmServer server) {
        return server.folder().resolve("data").resolve("semel.db");
    }
}

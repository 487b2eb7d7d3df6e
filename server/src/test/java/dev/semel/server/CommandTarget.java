// SPDX-License-Identifier: Apache-2.0
package dev.semel.server;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What a command works on: a running server, or the database of its settings. */
enum CommandTarget {
    SERVER,
    DATABASE;

    /**
     * Runs a command on this target.
     *
     * @param folder the folder of the server's settings and data
     * @param command the words before the options that select the target
     */
    CommandRun run(InProcessServer server, Path folder, List<String> command, String... options) {
        List<String> all = new ArrayList<>(command);
        all.addAll(
                this == SERVER
                        ? List.of("--url", server.uri("").toString())
                        : List.of(
                                "--data-dir",
                                folder.resolve("data").toString(),
                                "--config",
                                folder.resolve("semel.yml").toString()));
        all.addAll(List.of(options));
        return CommandRun.of(all.toArray(String[]::new));
    }
}

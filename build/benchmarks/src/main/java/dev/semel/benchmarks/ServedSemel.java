// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The server's jar as the launcher starts it, in development mode, with limits above every measurement. */
final class ServedSemel {
    private static final String SETTINGS = """
            limits:
              new_keys_per_second: 10000000
              new_keys_at_once: 10000000
              new_bytes_per_second: 2147483647
              new_bytes_at_once: 2147483647
              idle_seconds: 3600
            webhooks:
              stripe: {secrets: [%s], tolerance_seconds: 0}
            """.formatted(WebhookWork.SECRET);

    private ServedSemel() {}

    /** With a new SQLite file, which is the default. */
    static JavaServer onSqlite() throws IOException {
        return start(Launcher.jar(), Map.of(), List.of());
    }

    /** With a new database of this server. */
    static JavaServer on(BenchDatabase database) throws IOException {
        return on(database, "served", Launcher.jar());
    }

    /** As a proxy in front of this service, with a new database of this server. */
    static JavaServer before(JavaServer service, String path, BenchDatabase database) throws IOException {
        return start(
                Launcher.jar(),
                "api: {routes: [{path: %s, target: \"http://127.0.0.1:%d\", key: optional}]}%n"
                        .formatted(path, service.port()),
                Map.of("SEMEL_DATABASE_USER", database.user(), "SEMEL_DATABASE_PASSWORD", database.password()),
                List.of("--database-url", database.createDatabase("before" + service.port())));
    }

    /** Another jar, with a new database of this name. */
    static JavaServer on(BenchDatabase database, String name, Path jar) throws IOException {
        return start(
                jar,
                Map.of("SEMEL_DATABASE_USER", database.user(), "SEMEL_DATABASE_PASSWORD", database.password()),
                List.of("--database-url", database.createDatabase(name)));
    }

    private static JavaServer start(Path jar, Map<String, String> environment, List<String> options)
            throws IOException {
        return start(jar, "", environment, options);
    }

    private static JavaServer start(Path jar, String more, Map<String, String> environment, List<String> options)
            throws IOException {
        return JavaServer.start(environment, folder -> {
            // An earlier jar refuses unknown settings, and both servers must have the same ones.
            String known = jar.equals(Launcher.jar()) ? SETTINGS : SETTINGS.replaceAll("(?m)^ *new_bytes.*\\n", "");
            Path settings = Files.writeString(folder.resolve("semel.yml"), known + more);
            List<String> command = new ArrayList<>(Launcher.java());
            command.addAll(List.of("-jar", jar.toString(), "serve", "--host", "127.0.0.1", "--port", "0"));
            command.addAll(List.of("--data-dir", folder.resolve("data").toString()));
            command.addAll(List.of("--config", settings.toString()));
            command.addAll(
                    List.of("--print-port-file", JavaServer.portFile(folder).toString()));
            command.addAll(options);
            return command;
        });
    }
}

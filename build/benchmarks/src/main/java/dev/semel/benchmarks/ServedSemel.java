// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** The server's jar as the launcher starts it, in development mode, with limits above every measurement. */
final class ServedSemel {
    /** The place is for limits that not every version knows. */
    private static final String LIMITS = """
            limits:
              {new_keys_per_second: 10000000, new_keys_at_once: 10000000, idle_seconds: 3600%s}
            """;

    private static final String LIMITS_OF_BYTES = ", new_bytes_per_second: 2147483647, new_bytes_at_once: 2147483647";

    private static final String WEBHOOKS = """
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
            Path settings = Files.writeString(folder.resolve("semel.yml"), settings(jar) + more);
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

    /** An earlier jar refuses settings that it does not know. */
    private static String settings(Path jar) throws IOException {
        String limits = LIMITS.formatted(limitsBytes(jar) ? LIMITS_OF_BYTES : "");
        return jar.equals(Launcher.jar()) ? limits + WEBHOOKS : limits;
    }

    private static boolean limitsBytes(Path jar) throws IOException {
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            ZipEntry settings = zip.getEntry("dev/semel/server/config/LimitSettings.class");
            if (settings == null) {
                throw new IllegalArgumentException(jar + " is not a jar of Semel's server");
            }
            try (InputStream bytes = zip.getInputStream(settings)) {
                return new String(bytes.readAllBytes(), StandardCharsets.ISO_8859_1).contains("new_bytes_per_second");
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.console;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The files of the console. A host serves them below one path, which ends with a slash, and the API below that path's parent:
 *
 * <pre>
 * GET /console/           {@link #page}
 * GET /console/{name}     {@link #find}
 * GET /v1/keys            the API
 * </pre>
 */
public final class ConsoleFiles {
    private static final String PAGE = "index.html";

    /** Everything that is served. Other names are unknown, so a path can never leave the folder. */
    static final List<String> NAMES = List.of(
            PAGE,
            "api.js",
            "app.js",
            "chart.js",
            "console.css",
            "decisions.js",
            "icon.svg",
            "key.js",
            "keys.js",
            "overview.js",
            "parts.js",
            "records.js",
            "route.js",
            "state.js",
            "stuck.js",
            "system.js",
            "text.js",
            "tour.js",
            "vendor-htm.js",
            "vendor-preact-hooks.js",
            "vendor-preact.js",
            "vendor-signals-core.js",
            "vendor-uplot.css",
            "vendor-uplot.js",
            "webhooks.js");

    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "svg", "image/svg+xml");

    private final Map<String, ConsoleFile> files;

    private ConsoleFiles(Map<String, ConsoleFile> files) {
        this.files = files;
    }

    /** Reads all files from the jar. */
    public static ConsoleFiles load() {
        Map<String, ConsoleFile> files = new LinkedHashMap<>();
        NAMES.forEach(name -> files.put(name, read(name)));
        return new ConsoleFiles(files);
    }

    /** The page that loads all others. */
    public ConsoleFile page() {
        return Objects.requireNonNull(files.get(PAGE));
    }

    /** The file with this name, if there is one. */
    public Optional<ConsoleFile> find(String name) {
        return Optional.ofNullable(files.get(name));
    }

    private static ConsoleFile read(String name) {
        try (InputStream in = ConsoleFiles.class.getResourceAsStream("files/" + name)) {
            byte[] content = Objects.requireNonNull(in, () -> name + " is missing in the jar")
                    .readAllBytes();
            String type = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
            return new ConsoleFile(name, Objects.requireNonNull(type), etag(content), content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String etag(byte[] content) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(content);
            return "\"" + HexFormat.of().formatHex(digest, 0, 12) + "\"";
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java runtime has SHA-256", e);
        }
    }
}

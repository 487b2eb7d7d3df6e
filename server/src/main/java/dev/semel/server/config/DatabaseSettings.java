// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.config;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where claims and records live.
 *
 * @param url a JDBC URL; user and password have settings of their own, and may be options of it, but nothing else
 * @param poolSize how many connections there may be; SQLite always has one
 */
public record DatabaseSettings(String url, Optional<String> user, Optional<SecretText> password, int poolSize) {
    private static final String SQLITE = "jdbc:sqlite:";
    private static final String FILE = "file:";
    private static final String MEMORY = ":memory:";
    private static final String HOST = "(?:[A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+])(?::[0-9]{1,5})?";

    /** All that may be shown of a server's URL is its first group. */
    private static final Pattern SERVER = Pattern.compile(
            "(jdbc:[a-z]+:(?:[a-z0-9-]+:)?(?://(?:%1$s(?:,%1$s)*)?(?:/%2$s)?|/?%2$s))(?:[?;].*)?"
                    .formatted(HOST, "[^/:?;@&=()]*"),
            Pattern.DOTALL);

    /** MariaDB's long form. It may hold options, so that nothing of it is shown. */
    private static final Pattern ADDRESS = Pattern.compile("(jdbc:[a-z]+:)(?:[a-z0-9-]+:)?//address=\\(.*");

    public DatabaseSettings {
        if (url.startsWith(SQLITE)) {
            fileOf(url.substring(SQLITE.length()));
        } else if (!SERVER.matcher(url).matches() && !ADDRESS.matcher(url).matches()) {
            // Drivers would log it, with the password that somebody may have put in front of the host.
            throw wrong("must be like jdbc:postgresql://127.0.0.1:5432/semel, without a user or a password before the"
                    + " host: set SEMEL_DATABASE_USER and SEMEL_DATABASE_PASSWORD");
        }
    }

    /** Whether it is a file of this process's own. */
    public boolean isSqlite() {
        return url.startsWith(SQLITE);
    }

    /** The file of an SQLite database; empty if it is in memory, or on a server. */
    public Optional<Path> file() {
        return isSqlite() ? fileOf(url.substring(SQLITE.length())) : Optional.empty();
    }

    private static Optional<Path> fileOf(String name) {
        boolean uri = name.startsWith(FILE);
        String path = uri ? name.substring(FILE.length()).replaceFirst("[?#].*", "") : name;
        if (path.equals(MEMORY)) {
            return Optional.empty();
        }
        if (path.isEmpty() || path.startsWith(":") || (!uri && path.contains("?"))) {
            // The driver takes an option that it does not know for a part of the file's name.
            throw wrong("must name a file, such as jdbc:sqlite:data/semel.db; with options it is"
                    + " jdbc:sqlite:file:data/semel.db?option=value");
        }
        try {
            return Optional.of(Path.of(
                    uri
                            ? URLDecoder.decode(
                                    path.replaceFirst("^//[^/]*", "").replace("+", "%2B"), StandardCharsets.UTF_8)
                            : path));
        } catch (InvalidPathException e) {
            throw wrong("must name a file by a path that this system knows");
        } catch (IllegalArgumentException e) {
            throw wrong("has a percent sign that starts no escape: write %25 for it");
        }
    }

    private static ConfigException wrong(String what) {
        return new ConfigException("The database URL (--database-url, SEMEL_DATABASE_URL, database.url) " + what);
    }

    /** The URL without its options, which may hold a password or a key. */
    public String shownUrl() {
        if (isSqlite()) {
            return url.replaceFirst("[?#;].*", "");
        }
        Matcher plain = SERVER.matcher(url);
        Matcher address = ADDRESS.matcher(url);
        return plain.matches() ? plain.group(1) : address.matches() ? address.group(1) + "<hidden>" : "<hidden>";
    }

    @Override
    public String toString() {
        return "DatabaseSettings[" + shownUrl() + "]";
    }
}

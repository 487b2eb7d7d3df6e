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
 * The settings of the database.
 *
 * @param url a JDBC URL, whose user and password have their own settings or are options of the URL; or a {@link DynamoUrl}
 * @param schema the schema of Semel's tables, for PostgreSQL only; empty for the first one of the user's search path
 * @param poolSize maximum number of connections; SQLite always has one
 */
public record DatabaseSettings(
        String url, Optional<String> user, Optional<SecretText> password, Optional<String> schema, int poolSize) {
    private static final String POSTGRESQL = "jdbc:postgresql:";
    private static final String SQLITE = "jdbc:sqlite:";
    private static final String FILE = "file:";
    private static final String MEMORY = ":memory:";
    private static final String HOST = "(?:[A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+])(?::[0-9]{1,5})?";

    /** The URL of a server. Only its first group may be shown. */
    private static final Pattern SERVER = Pattern.compile(
            "(jdbc:[a-z]+:(?:[a-z0-9-]+:)?(?://(?:%1$s(?:,%1$s)*)?(?:/%2$s)?|/?%2$s))(?:[?;].*)?"
                    .formatted(HOST, "[^/:?;@&=()]*"),
            Pattern.DOTALL);

    /** MariaDB's long form of an address. It may contain options, so it is never shown. */
    private static final Pattern ADDRESS = Pattern.compile("(jdbc:[a-z]+:)(?:[a-z0-9-]+:)?//address=\\(.*");

    /** Unquoted in statements, so only characters that need no quotes. PostgreSQL reserves the prefix pg_. */
    private static final Pattern SCHEMA = Pattern.compile("(?!pg_|information_schema$)[a-z_][a-z0-9_]{0,62}");

    public DatabaseSettings {
        if (DynamoUrl.isMeantBy(url)) {
            DynamoUrl.parse(url);
            if (user.isPresent() || password.isPresent()) {
                throw new ConfigException(
                        "SEMEL_DATABASE_USER and SEMEL_DATABASE_PASSWORD (database.user, database.password) are"
                                + " for SQL databases: remove them, and give the AWS SDK its credentials by AWS_ACCESS_KEY_ID and"
                                + " AWS_SECRET_ACCESS_KEY, a role, or another source that it knows");
            }
        } else if (url.startsWith(SQLITE)) {
            fileOf(url.substring(SQLITE.length()));
        } else if (!SERVER.matcher(url).matches() && !ADDRESS.matcher(url).matches()) {
            // Drivers would log the URL, including a password before the host.
            throw wrong("must be like jdbc:postgresql://127.0.0.1:5432/semel, without user and password before"
                    + " the host: set SEMEL_DATABASE_USER and SEMEL_DATABASE_PASSWORD");
        }
        if (schema.isPresent()) {
            checkSchema(url, schema.get());
        }
    }

    private static void checkSchema(String url, String schema) {
        if (!SCHEMA.matcher(schema).matches()) {
            throw wrongSchema(
                    "must have 1 to 63 lower-case letters, digits and underscores, must not start with a digit, and"
                            + " must not be one of PostgreSQL's own schemas");
        }
        if (DynamoUrl.isMeantBy(url)) {
            throw wrongSchema("is for PostgreSQL: on DynamoDB, name another table in the URL");
        }
        if (url.startsWith(SQLITE)) {
            throw wrongSchema("is for PostgreSQL: an SQLite file holds the tables of one server, so name another file");
        }
        if (!url.startsWith(POSTGRESQL)) {
            throw wrongSchema("is for PostgreSQL: on MariaDB and MySQL the database is the schema, so name another"
                    + " database in the URL");
        }
        if (url.contains("currentSchema=") || url.contains("search_path")) {
            throw wrongSchema("cannot be combined with currentSchema or search_path in the URL: remove one of them");
        }
    }

    private static ConfigException wrongSchema(String what) {
        return new ConfigException("The schema (--database-schema, SEMEL_DATABASE_SCHEMA, database.schema) " + what);
    }

    /** Returns whether the database is a local SQLite file. */
    public boolean isSqlite() {
        return url.startsWith(SQLITE);
    }

    /** Returns the table in DynamoDB; empty for SQL databases. */
    public Optional<DynamoUrl> dynamo() {
        return DynamoUrl.isMeantBy(url) ? Optional.of(DynamoUrl.parse(url)) : Optional.empty();
    }

    /** Returns the file of an SQLite database; empty for a database in memory or on a server. */
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
            // The driver would treat an unknown option as a part of the file name.
            throw wrong("must name a file, such as jdbc:sqlite:data/semel.db; with options, use"
                    + " jdbc:sqlite:file:data/semel.db?option=value");
        }
        try {
            return Optional.of(Path.of(
                    uri
                            ? URLDecoder.decode(
                                    path.replaceFirst("^//[^/]*", "").replace("+", "%2B"), StandardCharsets.UTF_8)
                            : path));
        } catch (InvalidPathException e) {
            throw wrong("must contain a file path that is valid on this system");
        } catch (IllegalArgumentException e) {
            throw wrong("has a percent sign that is not an escape: write %25 instead");
        }
    }

    static ConfigException wrong(String what) {
        return new ConfigException("The database URL (--database-url, SEMEL_DATABASE_URL, database.url) " + what);
    }

    /** Returns the URL without its options, which may contain a password or a key. */
    public String shownUrl() {
        if (DynamoUrl.isMeantBy(url)) {
            return DynamoUrl.parse(url).toString();
        }
        if (isSqlite()) {
            return url.replaceFirst("[?#;].*", "");
        }
        Matcher plain = SERVER.matcher(url);
        Matcher address = ADDRESS.matcher(url);
        return plain.matches() ? plain.group(1) : address.matches() ? address.group(1) + "<hidden>" : "<hidden>";
    }

    /** Returns {@link #shownUrl} and the schema, if one is set. */
    public String shown() {
        return shownUrl() + schema.map(name -> ", schema " + name).orElse("");
    }

    @Override
    public String toString() {
        return "DatabaseSettings[" + shownUrl() + "]";
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.cli;

import dev.semel.server.config.ConfigException;
import java.net.URI;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Whom a command asks: a running server, or the database if an option names one. */
final class TargetOptions {
    private static final String DEFAULT_URL = "http://127.0.0.1:8080";

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = "the running server (SEMEL_URL; default " + DEFAULT_URL + ")")
    private @Nullable String url;

    @Option(
            names = "--token",
            paramLabel = "TOKEN",
            description =
                    "API token for the server; prefer SEMEL_TOKEN, because others can see options in the process list")
    private @Nullable String token;

    @Option(
            names = "--tenant",
            paramLabel = "NAME",
            description = "whose data (default: the token's tenant; without a token, the tenant `default`)")
    private @Nullable String tenant;

    @Option(
            names = "--actor",
            paramLabel = "NAME",
            description =
                    "who decides, for the audit trail; a token has an actor of its own (default: the user of this process)")
    private @Nullable String actor;

    @Mixin
    private DatabaseOptions database = new DatabaseOptions();

    /** Whether the command works on the database itself. */
    boolean isDatabase() {
        if (database.isGiven() && url != null) {
            throw new ConfigException(
                    "--url names a server, and --database-url or --data-dir names a database: use one of them");
        }
        return database.isGiven();
    }

    DatabaseOptions database() {
        return database;
    }

    AdminTarget open() {
        return isDatabase() ? DatabaseAdmin.open(database.existing(), tenant(), actor()) : remote();
    }

    RemoteAdmin remote() {
        return new RemoteAdmin(
                server(),
                Optional.ofNullable(token).or(() -> variable("SEMEL_TOKEN")),
                Optional.ofNullable(tenant),
                actor());
    }

    private String tenant() {
        return Objects.requireNonNullElse(tenant, "default");
    }

    private String actor() {
        return Optional.ofNullable(actor)
                .orElseGet(() -> System.getProperty("user.name", "").replaceAll("[^\\x21-\\x7e]", "_"));
    }

    private URI server() {
        String text = Optional.ofNullable(url).or(() -> variable("SEMEL_URL")).orElse(DEFAULT_URL);
        try {
            URI server = URI.create(text.replaceFirst("/+$", ""));
            if (server.getHost() != null && String.valueOf(server.getScheme()).matches("https?")) {
                return server;
            }
        } catch (IllegalArgumentException e) {
            // Fall through: the message below says what is expected.
        }
        throw new ConfigException("--url (SEMEL_URL) must be a URL such as " + DEFAULT_URL);
    }

    private static Optional<String> variable(String name) {
        return Optional.ofNullable(System.getenv(name)).filter(text -> !text.isEmpty());
    }
}

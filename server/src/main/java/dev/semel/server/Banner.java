// SPDX-License-Identifier: Apache-2.0
package dev.semel.server;

import dev.semel.server.config.DatabaseSettings;
import dev.semel.server.config.ServerMode;
import dev.semel.server.config.Settings;
import java.util.stream.Collectors;

/** The text that is printed once the server is ready. */
final class Banner {
    private static final int MAX_ROUTES = 5;

    private Banner() {}

    static String of(Settings settings, int port) {
        String host = settings.server().host();
        String url = "%s://%s:%d"
                .formatted(
                        settings.server().tls().isPresent() ? "https" : "http",
                        host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host,
                        port);
        boolean production = settings.mode() == ServerMode.PRODUCTION;
        String token = production ? "-H \"Authorization: Bearer $TOKEN\" " : "";
        return """
                Semel %s is ready: %s
                  try   curl -s -i %s/v1/claims -H 'Content-Type: application/json' %s-d '{"scope":"demo","key":"order-17"}'
                  see   %s/console/
                  docs  %s/docs
                  data  %s
                  mode  %s
                %s""".formatted(
                        Version.text(),
                        url,
                        url,
                        token,
                        url,
                        url,
                        data(settings.database()),
                        production
                                ? "production: API requests require a token; webhooks and call events require a signature"
                                : "development: local requests only, no token required; use"
                                        + " --production for other clients",
                        routes(settings));
    }

    private static String routes(Settings settings) {
        int shown = Math.min(MAX_ROUTES, settings.routes().size());
        String more = settings.routes().size() > shown
                ? "  api   and %d more routes%n".formatted(settings.routes().size() - shown)
                : "";
        return settings.routes().subList(0, shown).stream()
                        .map(route -> "  api   %s to %s%n"
                                .formatted(route.pattern(), route.targets().get(0)))
                        .collect(Collectors.joining())
                + more;
    }

    private static String data(DatabaseSettings database) {
        return database.file()
                .map(file -> "SQLite, " + file.toAbsolutePath())
                .orElseGet(() -> database.shownUrl()
                        + database.schema().map(schema -> ", schema " + schema).orElse(""));
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.server;

import dev.semel.server.config.DatabaseSettings;
import dev.semel.server.config.Mode;
import dev.semel.server.config.Settings;

/** What is printed once the server is ready. */
final class Banner {
    private Banner() {}

    static String of(Settings settings, int port) {
        String host = settings.server().host();
        String url =
                "http://%s:%d".formatted(host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host, port);
        boolean production = settings.mode() == Mode.PRODUCTION;
        String token = production ? "-H \"Authorization: Bearer $TOKEN\" " : "";
        return """
                Semel %s is ready: %s
                  try   curl -s -i %s/v1/claims -H 'Content-Type: application/json' %s-d '{"scope":"demo","key":"order-17"}'
                  docs  %s/docs
                  data  %s
                  mode  %s
                """.formatted(
                        Version.text(),
                        url,
                        url,
                        token,
                        url,
                        data(settings.database()),
                        production
                                ? "production: API requests need a token; webhooks and call events need a signature"
                                : "development: this machine only, no token needed; --production for others");
    }

    private static String data(DatabaseSettings database) {
        return database.file().map(file -> "SQLite, " + file.toAbsolutePath()).orElseGet(database::shownUrl);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The address of a Redis, as the starters read it from the application's connection details. */
public final class RedisUrl {
    private RedisUrl() {}

    /** A URL with percent-encoded credentials. It contains the password, so it must not be logged. */
    public static String of(
            boolean tls, String host, int port, int database, @Nullable String user, @Nullable String password) {
        String credentials = password == null ? "" : encoded(user) + ":" + encoded(password) + "@";
        return "%s://%s%s:%d/%d"
                .formatted(
                        tls ? "rediss" : "redis",
                        credentials,
                        host.contains(":") ? "[" + host + "]" : host,
                        port,
                        database);
    }

    private static String encoded(@Nullable String text) {
        return text == null
                ? ""
                : URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}

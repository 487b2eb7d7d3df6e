// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.config;

import java.util.Optional;

/**
 * Where claims and records live.
 *
 * @param url a JDBC URL
 * @param poolSize how many connections there may be; SQLite always has one
 */
public record DatabaseSettings(String url, Optional<String> user, Optional<Hidden> password, int poolSize) {
    /** Whether it is a file of this process's own. */
    public boolean isSqlite() {
        return url.startsWith("jdbc:sqlite:");
    }

    /** The URL without what may be a password in it. */
    public String shownUrl() {
        return url.replaceFirst("//[^/?@]*@", "//<hidden>@").replaceFirst("[?;].*", "");
    }

    @Override
    public String toString() {
        return "DatabaseSettings[" + shownUrl() + "]";
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.admin;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of the admin API.
 *
 * @param enabled whether it is served; it is not by default
 * @param path the path below which its routes are, for example {@code /semel/v1/keys}
 * @param operatorRole the role that a user needs for decisions; every authenticated user may look
 * @param window how far back statistics and alerts go
 * @param minimumEvents how many events a scope must have in the window before an alert can fire
 * @param cleanupEvery how often expired claims and old history are deleted
 * @param keepHistory how long take-overs, conflicts and parks are kept
 * @param keepDecisions how long operators' decisions are kept; null for ever
 */
@ConfigurationProperties("semel.admin")
public record AdminProperties(
        @DefaultValue("false") boolean enabled,
        @DefaultValue("/semel") String path,
        @DefaultValue("SEMEL_OPERATOR") String operatorRole,
        @DefaultValue("15m") Duration window,
        @DefaultValue("100") long minimumEvents,
        @DefaultValue("1h") Duration cleanupEvery,
        @DefaultValue("30d") Duration keepHistory,
        @Nullable Duration keepDecisions) {
    public AdminProperties {
        if (!path.startsWith("/") || path.endsWith("/")) {
            throw new IllegalArgumentException(
                    "semel.admin.path must start with a slash and not end with one, but is " + path);
        }
    }
}

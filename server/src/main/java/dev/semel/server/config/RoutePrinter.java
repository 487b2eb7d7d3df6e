// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.config;

import dev.semel.http.ApiRules;
import dev.semel.http.ReplayedHeaders;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Prints a route with the names of the settings file. {@link ApiRoutes} can read the output. */
final class RoutePrinter {
    private RoutePrinter() {}

    static Map<String, Object> print(ApiRoute route) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("path", route.pattern().toString());
        shown.put("methods", route.methods().stream().sorted().toList());
        shown.put(
                "targets", route.targets().stream().map(SettingsPrinter::shown).toList());
        route.identity().ifPresent(identity -> identity(identity, shown));
        rules(route.rules(), shown);
        shown.put("connect_seconds", route.connectWithin().toSeconds());
        shown.put("timeout_seconds", route.answerWithin().toSeconds());
        route.caFile().ifPresent(file -> shown.put("ca_file", file.toString()));
        return shown;
    }

    private static void rules(ApiRules rules, Map<String, Object> shown) {
        shown.put("key", SettingValue.nameOf(rules.key()));
        shown.put("profile", rules.profile().name());
        shown.put("in_progress_status", rules.profile().inProgress());
        shown.put("mismatch_status", rules.profile().mismatch());
        shown.put("missing_key_status", rules.profile().missing());
        shown.put("store", SettingValue.nameOf(rules.store()));
        rules.terms().ttl().ifPresent(ttl -> shown.put("ttl_hours", ttl.toHours()));
        shown.put("lease_seconds", rules.terms().lease().toSeconds());
        shown.put("on_stale", SettingValue.nameOf(rules.terms().onStale()));
        shown.put("release", rules.released().texts());
        List<String> replayed = rules.replayed().names().stream()
                .filter(name -> !ReplayedHeaders.DEFAULT.names().contains(name))
                .sorted()
                .toList();
        if (!replayed.isEmpty()) {
            shown.put("replay_headers", replayed);
        }
        shown.put("answer_bytes", rules.maxAnswerBytes());
        shown.put("wait_seconds", rules.longestWait().toSeconds());
    }

    private static void identity(RouteIdentity identity, Map<String, Object> shown) {
        if (identity instanceof RouteIdentity.Header header) {
            shown.put("identity", "header:" + header.actorHeader());
            shown.put("tenant_header", header.tenantHeader());
            shown.put(
                    "trusted_fronts",
                    header.fronts().stream().map(AddressRange::toString).toList());
        } else if (identity instanceof RouteIdentity.Authorization authorization) {
            shown.put("identity", "authorization");
            shown.put("tenant", authorization.tenant());
        } else {
            shown.put("identity", "token");
        }
    }
}

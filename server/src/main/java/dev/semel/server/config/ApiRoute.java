// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.config;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A route of the API door, kept for the door that will serve it. */
public record ApiRoute(
        String path, List<String> methods, URI target, Key key, Profile profile, Store store, Optional<Duration> ttl) {
    private static final Set<String> METHODS = Set.of("POST", "PUT", "PATCH", "DELETE");

    /** Whether a request needs a key. */
    public enum Key {
        REQUIRED,
        OPTIONAL,
        DERIVE
    }

    /** Which answers duplicates and mismatches get. */
    public enum Profile {
        SEED,
        IETF
    }

    /** In which form the answer is kept. */
    public enum Store {
        SANITISED,
        SEALED,
        NONE
    }

    static List<ApiRoute> read(Section section) {
        List<ApiRoute> routes =
                section.sections("routes").stream().map(ApiRoute::one).toList();
        section.done();
        return routes;
    }

    private static ApiRoute one(Section section) {
        ApiRoute route = new ApiRoute(
                section.value("path")
                        .filter(value -> value.text().startsWith("/"))
                        .map(Value::text)
                        .orElseThrow(() -> new ConfigException(
                                section.at("path") + " must be set and start with a slash, such as /orders/**")),
                section.valuesOf("methods").stream().map(ApiRoute::method).toList(),
                section.value("target")
                        .map(value -> value.url(List.of("http", "https")))
                        .orElseThrow(() -> new ConfigException(
                                section.at("target") + " is missing: it says where requests are sent on to")),
                section.value("key").map(value -> value.oneOf(Key.class)).orElse(Key.REQUIRED),
                section.value("profile")
                        .map(value -> value.oneOf(Profile.class))
                        .orElse(Profile.SEED),
                section.value("store").map(value -> value.oneOf(Store.class)).orElse(Store.SANITISED),
                section.value("ttl_hours").map(Value::hours));
        section.done();
        return route;
    }

    private static String method(Value value) {
        if (!METHODS.contains(value.text())) {
            throw value.wrong("must be POST, PUT, PATCH or DELETE: only these have effects that must happen once");
        }
        return value.text();
    }
}

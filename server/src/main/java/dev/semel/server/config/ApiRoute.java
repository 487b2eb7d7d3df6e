// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.config;

import dev.semel.http.ApiRules;
import dev.semel.http.RoutePattern;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A route of the API door: which requests it takes, where they are sent on to, and how they are made idempotent.
 *
 * @param methods which are protected; requests by other methods are forwarded as they are
 * @param targets the service's instances, used in turn
 * @param identity who sends a request; empty where the operator has not chosen
 * @param connectWithin how long a connection to the target may take
 * @param answerWithin how long the target may take to begin its answer, and between two parts of it
 * @param caFile certificates in PEM that are trusted in place of the JVM's own
 */
public record ApiRoute(
        RoutePattern pattern,
        Set<String> methods,
        List<URI> targets,
        ApiRules rules,
        Optional<RouteIdentity> identity,
        Duration connectWithin,
        Duration answerWithin,
        Optional<Path> caFile) {
    public ApiRoute {
        methods = Set.copyOf(methods);
        targets = List.copyOf(targets);
    }
}

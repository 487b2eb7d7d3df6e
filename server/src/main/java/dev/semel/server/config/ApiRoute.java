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
 * A route of the idempotent proxy: which requests it matches, where it forwards them, and how it makes them idempotent.
 *
 * @param methods the protected methods; requests with other methods are forwarded unchanged
 * @param targets the instances of the service, used in round-robin order
 * @param identity how the sender is identified; empty if not configured
 * @param connectWithin time limit for a connection to the target
 * @param answerWithin time limit for the target to start its response, and between two parts of it
 * @param caFile PEM certificates that are trusted instead of the JVM's
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

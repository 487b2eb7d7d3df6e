// SPDX-License-Identifier: Apache-2.0
package dev.semel.http;

import dev.semel.claim.StalePolicy;
import dev.semel.claim.Terms;
import dev.semel.payload.Keep;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * The immutable settings of an idempotent route. All settings except the template have defaults.
 *
 * @param template the configured path of the route, such as {@code /orders/{id}}. It is part of the scope.
 * @param released the statuses that are not final
 * @param terms lease, retention, and the policy after an attempt with unknown outcome
 * @param longestWait the maximum time that {@code Prefer: wait=N} waits for the first request's answer
 * @param problemTypes the prefix of problem types: a URI, such as that of your documentation
 * @param maxAnswerBytes the maximum size of a stored answer. A larger one is delivered, but only its status is stored.
 */
public record ApiRules(
        String template,
        KeyPolicy key,
        Profile profile,
        Keep store,
        ReleasedStatuses released,
        ReplayedHeaders replayed,
        Terms terms,
        Duration longestWait,
        int maxAnswerBytes,
        String problemTypes) {
    /** The maximum length of a template. */
    public static final int MAX_TEMPLATE = 512;

    /** The largest answer that can be stored. */
    public static final int LARGEST_ANSWER = 8 << 20;

    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration MAX_RUN = Duration.ofHours(1);
    private static final int DEFAULT_ANSWER = 1 << 20;

    public ApiRules {
        if (!template.startsWith("/") || template.length() > MAX_TEMPLATE) {
            throw new IllegalArgumentException(
                    "A route's template must start with a slash and have at most %d characters, but is %s"
                            .formatted(MAX_TEMPLATE, template));
        }
        Objects.requireNonNull(key, "A key policy must not be null");
        Objects.requireNonNull(profile, "A profile must not be null");
        Objects.requireNonNull(store, "A stored form must not be null");
        Objects.requireNonNull(released, "Released statuses must not be null");
        Objects.requireNonNull(replayed, "Replayed headers must not be null");
        Objects.requireNonNull(terms, "Terms must not be null");
        if (terms.onStale() == StalePolicy.RECONCILE) {
            throw new IllegalArgumentException("A route's stale policy must be RERUN or PARK, but is RECONCILE");
        }
        Objects.requireNonNull(
                problemTypes, "The prefix of problem types must not be null: use an empty string for none");
        if (longestWait.isNegative()) {
            throw new IllegalArgumentException("The longest wait must not be negative, but is " + longestWait);
        }
        if (maxAnswerBytes < 0 || maxAnswerBytes > LARGEST_ANSWER) {
            throw new IllegalArgumentException("The maximum size of a stored answer must be 0 to %d bytes, but is %d"
                    .formatted(LARGEST_ANSWER, maxAnswerBytes));
        }
    }

    /**
     * The default rules: key required, the IETF draft's statuses, exact encrypted replays for 24 hours, a
     * lease of 30 seconds that is renewed while the request runs, waits of up to 30 seconds, answers of up to 1 MiB.
     */
    public static ApiRules of(String template) {
        return new ApiRules(
                template,
                KeyPolicy.REQUIRED,
                Profile.IETF,
                Keep.SEALED,
                ReleasedStatuses.DEFAULT,
                ReplayedHeaders.DEFAULT,
                Terms.DEFAULT.withLease(LEASE).withMaxRun(MAX_RUN),
                Duration.ofSeconds(30),
                DEFAULT_ANSWER,
                "urn:semel:problem:");
    }

    public ApiRules withKey(KeyPolicy value) {
        return new ApiRules(
                template, value, profile, store, released, replayed, terms, longestWait, maxAnswerBytes, problemTypes);
    }

    public ApiRules withProfile(Profile value) {
        return new ApiRules(
                template, key, value, store, released, replayed, terms, longestWait, maxAnswerBytes, problemTypes);
    }

    public ApiRules withStore(Keep value) {
        return new ApiRules(
                template, key, profile, value, released, replayed, terms, longestWait, maxAnswerBytes, problemTypes);
    }

    public ApiRules withReleased(ReleasedStatuses value) {
        return new ApiRules(
                template, key, profile, store, value, replayed, terms, longestWait, maxAnswerBytes, problemTypes);
    }

    public ApiRules withReplayed(ReplayedHeaders value) {
        return new ApiRules(
                template, key, profile, store, released, value, terms, longestWait, maxAnswerBytes, problemTypes);
    }

    public ApiRules withTerms(Terms value) {
        return new ApiRules(
                template, key, profile, store, released, replayed, value, longestWait, maxAnswerBytes, problemTypes);
    }

    public ApiRules withLongestWait(Duration value) {
        return new ApiRules(
                template, key, profile, store, released, replayed, terms, value, maxAnswerBytes, problemTypes);
    }

    public ApiRules withMaxAnswerBytes(int value) {
        return new ApiRules(template, key, profile, store, released, replayed, terms, longestWait, value, problemTypes);
    }

    public ApiRules withProblemTypes(String value) {
        return new ApiRules(
                template, key, profile, store, released, replayed, terms, longestWait, maxAnswerBytes, value);
    }

    /** How long a stored answer is replayed. Empty means without limit. */
    Optional<Duration> ttl() {
        return terms.ttl();
    }

    /** The problems of this route. */
    public Problems problems() {
        return new Problems(problemTypes);
    }

    /** The scope of this route's keys, within the tenant. */
    String scope(String method, String actor) {
        return "api:%s:%s:actor:%s".formatted(method, template, actor);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.http;

import dev.semel.claim.StalePolicy;
import dev.semel.claim.Terms;
import dev.semel.payload.Keep;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * How requests to one route are made idempotent: an immutable value. Every setting has a default but the template.
 *
 * @param template the route's path as it is configured, such as {@code /orders/{id}}: part of the scope
 * @param released which answers are not final
 * @param terms lease, retention, and what may happen after an attempt whose outcome is not known
 * @param longestWait the most that {@code Prefer: wait=N} waits for the first request's answer
 * @param problemTypes what stands before the name of a problem in its type: a URI, such as that of your documentation
 * @param maxAnswerBytes a larger answer is delivered, but only that it was given is stored
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
    /** The most characters of a template. */
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
        Objects.requireNonNull(store, "A form to store answers in must not be null");
        Objects.requireNonNull(released, "Released statuses must not be null");
        Objects.requireNonNull(replayed, "Replayed headers must not be null");
        Objects.requireNonNull(terms, "Terms must not be null");
        if (terms.onStale() == StalePolicy.RECONCILE) {
            throw new IllegalArgumentException("A route's stale policy must be RERUN or PARK: there is nobody to ask");
        }
        Objects.requireNonNull(problemTypes, "What stands before a problem's name must not be null: it may be empty");
        if (longestWait.isNegative()) {
            throw new IllegalArgumentException("The longest wait must not be negative, but is " + longestWait);
        }
        if (maxAnswerBytes < 0 || maxAnswerBytes > LARGEST_ANSWER) {
            throw new IllegalArgumentException("The largest stored answer must have 0 to %d bytes, but may have %d"
                    .formatted(LARGEST_ANSWER, maxAnswerBytes));
        }
    }

    /**
     * Rules with the defaults of libraries: key required, the IETF draft's answers, exact encrypted replays for 24 hours, a
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

    /** How long a stored answer is replayed; empty is for ever. */
    Optional<Duration> ttl() {
        return terms.ttl();
    }

    /** Answers of the door itself. */
    public Problems problems() {
        return new Problems(problemTypes);
    }

    /** What keys of this route are unique in, beside the organization. */
    String scope(String method, String actor) {
        return "api:%s:%s:actor:%s".formatted(method, template, actor);
    }
}

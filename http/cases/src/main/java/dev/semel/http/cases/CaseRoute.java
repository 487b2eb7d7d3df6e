// SPDX-License-Identifier: Apache-2.0
package dev.semel.http.cases;

import dev.semel.claim.StalePolicy;
import dev.semel.claim.Terms;
import dev.semel.http.ApiRules;
import dev.semel.http.KeyPolicy;
import dev.semel.http.Profile;
import dev.semel.http.ReleasedStatuses;
import dev.semel.http.ReplayedHeaders;
import dev.semel.http.RoutePattern;
import dev.semel.payload.Keep;
import dev.semel.payload.json.Json;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A route of {@code routes.json}, which every target must have.
 *
 * @param methods the protected methods. Requests with other methods pass through.
 */
public record CaseRoute(RoutePattern path, Set<String> methods, ApiRules rules) {
    public CaseRoute {
        methods = Set.copyOf(methods);
    }

    /** All routes, in the order in which they must be matched. */
    public static List<CaseRoute> all() {
        return file().list("routes").stream().map(CaseRoute::of).toList();
    }

    /** The maximum size of request bodies that a target must have. */
    public static int maxRequestBytes() {
        return file().number("max_request_bytes").orElseThrow();
    }

    private static Members file() {
        return Members.of("routes.json", Json.parse(HttpCases.resource("routes.json")));
    }

    private static CaseRoute of(Json json) {
        Members members = Members.of("A route", json);
        String path = members.text("path").orElseThrow();
        ApiRules rules = ApiRules.of(path)
                .withKey(
                        KeyPolicy.valueOf(members.text("key").orElse("required").toUpperCase(Locale.ROOT)))
                .withProfile(profile(members))
                .withStore(Keep.valueOf(members.text("store").orElse("sealed").toUpperCase(Locale.ROOT)))
                .withReleased(released(members))
                .withReplayed(ReplayedHeaders.DEFAULT.and(members.texts("replayed_headers")))
                .withMaxAnswerBytes(members.number("max_answer_bytes").orElse(1 << 20))
                .withLongestWait(Duration.ofSeconds(20));
        Terms terms = rules.terms()
                .withTtl(Duration.ofHours(members.number("ttl_hours").orElse(24)));
        rules = rules.withTerms(
                members.text("on_stale").orElse("rerun").equals("park") ? terms.withOnStale(StalePolicy.PARK) : terms);
        Set<String> methods = Set.copyOf(members.texts("methods"));
        members.end();
        return new CaseRoute(RoutePattern.of(path), methods, rules);
    }

    private static Profile profile(Members members) {
        Profile profile = members.text("profile").orElse("ietf").equals("accepted") ? Profile.ACCEPTED : Profile.IETF;
        return profile.withInProgress(members.number("in_progress_status").orElse(profile.inProgress()))
                .withMismatch(members.number("mismatch_status").orElse(profile.mismatch()))
                .withMissing(members.number("missing_status").orElse(profile.missing()));
    }

    /** Reads a list such as {@code ["404", "5xx"]}. */
    private static ReleasedStatuses released(Members members) {
        List<String> texts = members.texts("released_statuses");
        if (texts.isEmpty()) {
            return ReleasedStatuses.DEFAULT;
        }
        Set<Integer> statuses = new HashSet<>();
        Set<Integer> classes = new HashSet<>();
        for (String text : texts) {
            if (text.endsWith("xx")) {
                classes.add(Integer.valueOf(text.substring(0, 1)));
            } else {
                statuses.add(Integer.valueOf(text));
            }
        }
        return new ReleasedStatuses(statuses, classes);
    }
}

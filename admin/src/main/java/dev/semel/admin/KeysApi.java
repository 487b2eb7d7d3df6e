// SPDX-License-Identifier: Apache-2.0
package dev.semel.admin;

import dev.semel.admin.AdminRoute.Access;
import dev.semel.claim.ClaimKey;
import dev.semel.claim.ClaimRef;
import dev.semel.claim.Digest;
import dev.semel.claim.Status;
import dev.semel.claim.StoredResult;
import dev.semel.internal.BoundedText;
import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonArray;
import dev.semel.payload.json.JsonBoolean;
import dev.semel.payload.json.JsonNull;
import dev.semel.payload.json.JsonNumber;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import dev.semel.spi.ClaimBrowser;
import dev.semel.spi.ClaimEntry;
import dev.semel.spi.ClaimPage;
import dev.semel.spi.HistoryEntry;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;

/**
 * The routes for keys and decisions: {@code /v1/keys} and {@code /v1/audit}. The server and the Spring Boot starters mount
 * them.
 */
public final class KeysApi {
    private static final String ONE = "/v1/keys/{id}";
    private static final int MAX_LIMIT = 1_000;
    private static final int MAX_MATCHES = 100;

    private final Keys keys;
    private final BiFunction<ClaimRef, Json, StoredResult> stored;
    private final RecordFinder records;

    /** @param stored how a result that an operator gives is stored for the record of a claim, so that callers can read it */
    public KeysApi(Keys keys, BiFunction<ClaimRef, Json, StoredResult> stored) {
        this(keys, stored, RecordFinder.NONE);
    }

    /**
     * @param stored how a result that an operator gives is stored, so that callers can read it
     * @param records the records that look-ups show next to claims
     */
    public KeysApi(Keys keys, BiFunction<ClaimRef, Json, StoredResult> stored, RecordFinder records) {
        this.keys = keys;
        this.stored = stored;
        this.records = records;
    }

    /** All routes. */
    public List<AdminRoute> routes() {
        return List.of(
                new AdminRoute(
                        "GET",
                        "/v1/keys",
                        Access.LOOK,
                        Set.of("scope", "status", "from", "before", "min_age_seconds", "prefix", "after", "limit"),
                        this::list),
                new AdminRoute("POST", "/v1/keys/lookup", Access.LOOK, Set.of(), this::lookup),
                new AdminRoute("GET", ONE, Access.LOOK, Set.of(), this::find),
                new AdminRoute("POST", ONE + "/release", Access.OPERATE, Set.of(), this::release),
                new AdminRoute("POST", ONE + "/fail", Access.OPERATE, Set.of(), this::fail),
                new AdminRoute("POST", ONE + "/succeed", Access.OPERATE, Set.of(), this::succeed),
                new AdminRoute("GET", "/v1/audit", Access.LOOK, Set.of("after", "limit"), this::audit));
    }

    private Json list(AdminRequest request) {
        if (request.parameter("prefix").isPresent()) {
            return prefixed(request);
        }
        ClaimBrowser.Query query = ClaimBrowser.Query.of(request.tenant(), request.limit(MAX_LIMIT))
                .withStatuses(statuses(request));
        if (request.parameter("scope").isPresent()) {
            query = scoped(query, request.parameter("scope").get());
        }
        if (request.parameter("from").isPresent()) {
            query = query.from(moment("from", request.parameter("from").get()));
        }
        if (request.parameter("before").isPresent()) {
            query = query.before(moment("before", request.parameter("before").get()));
        }
        Optional<Long> age =
                request.whole("min_age_seconds", 0, Duration.ofDays(36_500).toSeconds());
        if (age.isPresent()) {
            query = query.withMinAge(Duration.ofSeconds(age.get()));
        }
        if (request.parameter("after").isPresent()) {
            query = query.after(KeyCursor.parse(request.parameter("after").get()));
        }
        return page(keys.list(query));
    }

    /** The cursor is there even if there is no more now, so that a reader can go on later. */
    private static Json page(ClaimPage page) {
        List<ClaimEntry> entries = page.entries();
        ClaimBrowser.Cursor end = page.next();
        if (end == null && !entries.isEmpty()) {
            end = ClaimBrowser.Cursor.of(entries.get(entries.size() - 1));
        }
        return new JsonObject.Builder()
                .put("keys", KeyJson.entries(entries))
                .put("next", end == null ? JsonNull.NULL : new JsonString(KeyCursor.text(end)))
                .put("more", new JsonBoolean(page.next() != null))
                .build();
    }

    /** Claims and other records, each up to the limit. One more claim than is shown says whether there are more. */
    private Json prefixed(AdminRequest request) {
        String digits = ShownPrefix.digits(request.parameter("prefix").orElseThrow())
                .orElseThrow(() -> AdminException.field(
                        "prefix",
                        ("The parameter prefix must be a dedup_key_prefix of the log, or %d to 64 digits 0-9 or a-f. To"
                                        + " find a claim by its key, use POST /v1/keys/lookup or `semel keys show --key-file`")
                                .formatted(ClaimBrowser.MIN_PREFIX)));
        int limit = Math.min(MAX_MATCHES, request.limit(MAX_LIMIT));
        List<ClaimEntry> found = keys.withPrefix(request.tenant(), digits, limit + 1);
        List<ClaimEntry> shown = found.subList(0, Math.min(limit, found.size()));
        RecordFinder.Matches matches = matches(request.tenant(), digits, shown, limit);
        return new JsonObject.Builder()
                .put("keys", KeyJson.entries(shown))
                .put("records", KeyJson.records(matches.found()))
                .put("next", JsonNull.NULL)
                .put("more", new JsonBoolean(found.size() > limit || matches.more()))
                .build();
    }

    /** A claim that was found by an alias leads to records that have its own digest. */
    private RecordFinder.Matches matches(String tenant, String digits, List<ClaimEntry> claims, int limit) {
        Set<String> all = new LinkedHashSet<>(List.of(digits));
        claims.stream()
                .map(claim -> claim.ref().digest().hex())
                .filter(digest -> !digest.startsWith(digits))
                .forEach(all::add);
        Set<RecordFinder.Match> found = new LinkedHashSet<>();
        boolean more = false;
        for (String each : all) {
            RecordFinder.Matches matches = records.find(tenant, each, limit);
            found.addAll(matches.found());
            more |= matches.more();
        }
        return new RecordFinder.Matches(List.copyOf(found), more);
    }

    private static ClaimBrowser.Query scoped(ClaimBrowser.Query query, String scope) {
        try {
            return query.inScope(scope);
        } catch (IllegalArgumentException e) {
            throw AdminException.field(
                    "scope", "The parameter scope must have 1 to %d characters".formatted(ClaimKey.MAX_SCOPE));
        }
    }

    private static Set<Status> statuses(AdminRequest request) {
        Set<Status> statuses = EnumSet.noneOf(Status.class);
        for (String name : request.parameter("status").orElse("").split(",", -1)) {
            if (!name.isEmpty()) {
                statuses.add(status(name));
            }
        }
        return statuses;
    }

    private static Status status(String name) {
        for (Status status : Status.values()) {
            if (KeyJson.word(status).equals(name)) {
                return status;
            }
        }
        throw AdminException.field(
                "status",
                "The parameter status must be in_progress, succeeded, failed, retryable or unknown, or several of them"
                        + " separated by commas");
    }

    private static Instant moment(String name, String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException e) {
            throw AdminException.field(
                    name, "The parameter %s must be a time such as 2026-01-31T12:00:00Z".formatted(name));
        }
    }

    /** The key is in the body, so that no access log contains it. */
    private Json lookup(AdminRequest request) {
        BodyMembers members = new BodyMembers(request.body());
        String key = members.requiredText("key", ClaimKey.MAX_KEY);
        String scope = members.text("scope", ClaimKey.MAX_SCOPE).orElse(null);
        members.done();
        KeyLookup found = keys.lookup(request.tenant(), scope, key);
        return new JsonObject.Builder()
                .put("keys", KeyJson.entries(found.found()))
                .put(
                        "records",
                        KeyJson.records(records.ofKey(request.tenant(), key).found()))
                .put("scopes_tried", JsonNumber.of(found.scopes()))
                .put("complete", new JsonBoolean(found.complete()))
                .build();
    }

    private Json find(AdminRequest request) {
        KeyDetails details = keys.find(ref(request)).orElseThrow(AdminException::notFound);
        ClaimRef found = details.claim().ref();
        return KeyJson.of(
                details,
                records.find(found.tenant(), found.digest().hex(), MAX_MATCHES).found());
    }

    private Json release(AdminRequest request) {
        BodyMembers members = new BodyMembers(request.body());
        return decided(request, members, (fence, reason) -> OperatorDecision.release(fence, request.actor(), reason));
    }

    private Json fail(AdminRequest request) {
        BodyMembers members = new BodyMembers(request.body());
        return decided(request, members, (fence, reason) -> OperatorDecision.fail(fence, request.actor(), reason));
    }

    private Json succeed(AdminRequest request) {
        BodyMembers members = new BodyMembers(request.body());
        StoredResult result = members.any("result")
                .map(json -> stored.apply(keys.record(ref(request)).orElseThrow(AdminException::notFound), json))
                .orElse(null);
        return decided(
                request, members, (fence, reason) -> OperatorDecision.succeed(fence, request.actor(), reason, result));
    }

    private Json decided(
            AdminRequest request, BodyMembers members, BiFunction<Long, String, OperatorDecision> decision) {
        long fence = members.requiredWhole("fence");
        String reason = members.requiredText("reason", HistoryEntry.MAX_REASON);
        members.done();
        checkActor(request.actor());
        DecisionOutcome outcome = keys.decide(ref(request), decision.apply(fence, reason));
        if (outcome instanceof DecisionOutcome.Decided decided) {
            return KeyJson.of(decided.claim());
        }
        if (outcome instanceof DecisionOutcome.MovedOn) {
            throw new AdminException(
                    AdminException.Kind.MOVED_ON,
                    null,
                    "The claim has changed since you read it, and nothing was changed: read the claim again");
        }
        if (outcome instanceof DecisionOutcome.InProgress) {
            throw new AdminException(
                    AdminException.Kind.IN_PROGRESS,
                    null,
                    "The claim's owner is working on it, and nothing was changed: wait until its lease ends");
        }
        throw AdminException.notFound();
    }

    /** A host may know its users by other names than those that can be recorded. */
    private static void checkActor(String actor) {
        if (actor.isEmpty() || actor.length() > HistoryEntry.MAX_ACTOR || !BoundedText.isPlain(actor)) {
            throw AdminException.field(
                    "actor",
                    "The name of the actor must have 1 to %d characters and no control characters, so that the decision can be recorded"
                            .formatted(HistoryEntry.MAX_ACTOR));
        }
    }

    private Json audit(AdminRequest request) {
        int limit = request.limit(MAX_LIMIT);
        Long after = request.whole("after", 1, Long.MAX_VALUE).orElse(null);
        List<HistoryEntry> decisions = keys.decisions(request.tenant(), after, limit);
        return new JsonObject.Builder()
                .put(
                        "decisions",
                        new JsonArray(decisions.stream().map(KeyJson::of).toList()))
                .put(
                        "next",
                        decisions.isEmpty()
                                ? JsonNull.NULL
                                : new JsonString(Long.toString(
                                        decisions.get(decisions.size() - 1).id())))
                .put("more", new JsonBoolean(decisions.size() == limit))
                .build();
    }

    private static ClaimRef ref(AdminRequest request) {
        String id = request.path().getOrDefault("id", "");
        if (!id.matches("[0-9a-f]{64}")) {
            throw AdminException.notFound();
        }
        return new ClaimRef(request.tenant(), Digest.ofHex(id));
    }
}

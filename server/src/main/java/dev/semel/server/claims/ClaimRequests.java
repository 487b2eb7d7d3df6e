// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.claims;

import dev.semel.claim.AliasedKey;
import dev.semel.claim.ClaimKey;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.StalePolicy;
import dev.semel.claim.Terms;
import dev.semel.operations.UserText;
import dev.semel.payload.Keep;
import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonPointer;
import dev.semel.payload.json.JsonString;
import dev.semel.server.http.JsonFields;
import dev.semel.server.http.ProblemDetail;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Parses claims from JSON. */
public final class ClaimRequests {
    static final long LONGEST_LEASE_SECONDS = 86_400;
    private static final long LONGEST_WAIT_MILLIS = 30_000;
    private static final String USER_TEXT = "user_text";
    private static final String STORE = "store";
    private static final String ALSO_KNOWN_AS = "also_known_as";
    private static final int LONGEST_SCOPE = 512;
    private static final int LONGEST_FINGERPRINT = 1_024;

    private final InputKeys inputKeys;
    private final Terms defaultStorage;
    private final Duration maxTtl;

    /**
     * Creates a parser.
     *
     * @param ttl default retention of results
     * @param maxTtl maximum retention that a client may request
     */
    public ClaimRequests(InputKeys inputKeys, Duration ttl, Duration maxTtl) {
        this.inputKeys = inputKeys;
        this.defaultStorage = Terms.DEFAULT.withTtl(ttl);
        this.maxTtl = maxTtl;
    }

    /** Parses a single claim, which may wait for a claim in progress. */
    RequestedClaim read(String tenant, Json body) {
        JsonFields fields = new JsonFields(body, JsonPointer.ROOT);
        return read(tenant, fields, maxWait(fields));
    }

    /** Parses one claim of a batch, which never waits. */
    RequestedClaim readElement(String tenant, Json element, JsonPointer at) {
        return read(tenant, new JsonFields(element, at), Duration.ZERO);
    }

    private RequestedClaim read(String tenant, JsonFields fields, Duration maxWait) {
        String scope = fields.requiredText("scope", LONGEST_SCOPE);
        Optional<String> key = fields.text("key", JsonFields.MAX_KEY);
        Optional<Json> inputs = fields.any("inputs");
        Optional<String> userText = fields.freeText(USER_TEXT);
        if (key.isPresent() == inputs.isPresent()) {
            throw fields.wrong("key", "or inputs is required, but not both");
        }
        if (userText.isPresent() && inputs.isEmpty()) {
            throw fields.wrong(USER_TEXT, "requires inputs");
        }
        Fingerprint fingerprint = fields.text("fingerprint", LONGEST_FINGERPRINT)
                .map(Fingerprint::of)
                .orElse(Fingerprint.NONE);
        Terms terms = terms(fields, defaultStorage);
        ClaimKind kind = key.isPresent() ? ClaimKind.KEY : ClaimKind.INPUTS;
        ResultStorage storage = storage(fields, kind);
        List<String> aliases = aliases(fields, key);
        fields.done();
        AliasedKey claim = key.isPresent()
                ? keyOf(new ClaimKey(tenant, scope, key.get()), aliases)
                : inputKeys.keyOf(tenant, scope, hashed(fields, inputs.orElseThrow(), userText));
        return new RequestedClaim(claim, kind, storage, fingerprint, terms, maxWait);
    }

    private static AliasedKey keyOf(ClaimKey key, List<String> aliases) {
        return aliases.isEmpty() ? AliasedKey.of(key) : key.alsoKnownAs(aliases.toArray(String[]::new));
    }

    private static ResultStorage storage(JsonFields fields, ClaimKind kind) {
        Optional<String> store = fields.freeText(STORE);
        if (store.isEmpty()) {
            return kind.defaultStorage();
        }
        for (Keep keep : Keep.values()) {
            if (keep.name().toLowerCase(Locale.ROOT).equals(store.get())) {
                return kind.stored(keep);
            }
        }
        throw fields.wrong(STORE, "must be sealed, sanitised or none");
    }

    /** Reads the aliases: other keys of the same operation. */
    private static List<String> aliases(JsonFields fields, Optional<String> key) {
        List<String> aliases = fields.texts(ALSO_KNOWN_AS, AliasedKey.MAX_ALIASES, JsonFields.MAX_KEY);
        if (fields.has(ALSO_KNOWN_AS) && key.isEmpty()) {
            throw fields.wrong(ALSO_KNOWN_AS, "requires key");
        }
        if (aliases.isEmpty()) {
            return aliases;
        }
        Set<String> known = new HashSet<>();
        key.ifPresent(known::add);
        for (int i = 0; i < aliases.size(); i++) {
            if (!known.add(aliases.get(i))) {
                throw fields.wrong(ALSO_KNOWN_AS, i, "is a duplicate of the key or of another alias");
            }
        }
        return aliases;
    }

    /** Creates a claim with a derived key. Reads the fields that all claims share. */
    RequestedClaim derived(JsonFields fields, ClaimKey key, ClaimKind kind, Duration ttl) {
        Duration maxWait = maxWait(fields);
        Terms terms = terms(fields, Terms.DEFAULT.withTtl(ttl));
        fields.done();
        return new RequestedClaim(AliasedKey.of(key), kind, kind.defaultStorage(), Fingerprint.NONE, terms, maxWait);
    }

    private static Duration maxWait(JsonFields fields) {
        return Duration.ofMillis(fields.whole("wait_ms", 0, LONGEST_WAIT_MILLIS).orElse(0L));
    }

    /** Returns the inputs with the user text hashed, whether it is given next to the inputs or inside them. */
    private Json hashed(JsonFields fields, Json inputs, Optional<String> beside) {
        boolean inside = inputs instanceof JsonObject object && object.members().get(USER_TEXT) instanceof JsonString;
        if (beside.isEmpty() && !inside) {
            return inputs;
        }
        if (!(inputs instanceof JsonObject object)) {
            throw fields.wrong(USER_TEXT, "requires inputs to be an object");
        }
        Map<String, Json> others = new LinkedHashMap<>(object.members());
        Json within = others.remove(USER_TEXT);
        if (within != null && beside.isPresent()) {
            throw fields.wrong(USER_TEXT, "is also in the inputs; give it only once");
        }
        if (others.containsKey(UserText.MEMBER)) {
            String pointer = fields.pointer("inputs").child(UserText.MEMBER).toString();
            throw ProblemDetail.field(
                            pointer,
                            "%s must not be combined with user_text; give the text or its hash".formatted(pointer))
                    .asException();
        }
        String text = within instanceof JsonString string ? string.value() : beside.orElseThrow();
        return inputKeys.withUserText(new JsonObject(others), text);
    }

    private Terms terms(JsonFields fields, Terms defaultStorage) {
        Terms terms = defaultStorage;
        Optional<Long> lease = fields.whole("lease_seconds", 1, LONGEST_LEASE_SECONDS);
        if (lease.isPresent()) {
            terms = terms.withLease(Duration.ofSeconds(lease.get()));
        }
        Optional<Long> ttl = fields.whole("ttl_seconds", 1, Long.MAX_VALUE);
        if (ttl.isPresent() && ttl.get() > maxTtl.toSeconds()) {
            throw fields.wrong(
                    "ttl_seconds",
                    "must be at most %d, which is %d hours (limits.ttl_hours)"
                            .formatted(maxTtl.toSeconds(), maxTtl.toHours()));
        }
        if (ttl.isPresent()) {
            terms = terms.withTtl(Duration.ofSeconds(ttl.get()));
        }
        Optional<String> onStale = fields.freeText("on_stale");
        return onStale.isPresent() ? terms.withOnStale(policy(fields, onStale.get())) : terms;
    }

    private static StalePolicy policy(JsonFields fields, String name) {
        for (StalePolicy policy : StalePolicy.values()) {
            if (policy.name().toLowerCase(Locale.ROOT).equals(name)) {
                return policy;
            }
        }
        throw fields.wrong("on_stale", "must be rerun, reconcile or park");
    }
}

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

/** Reads claims from JSON. */
public final class ClaimRequests {
    static final long LONGEST_LEASE_SECONDS = 86_400;
    private static final long LONGEST_WAIT_MILLIS = 30_000;
    private static final String USER_TEXT = "user_text";
    private static final String STORE = "store";
    private static final String ALSO_KNOWN_AS = "also_known_as";
    private static final int LONGEST_SCOPE = 512;
    private static final int LONGEST_FINGERPRINT = 1_024;

    private final InputKeys inputKeys;
    private final Terms usual;
    private final Duration maxTtl;

    /**
     * Reads claims.
     *
     * @param ttl how long results are kept where nobody says otherwise
     * @param maxTtl how long a client may have them kept
     */
    public ClaimRequests(InputKeys inputKeys, Duration ttl, Duration maxTtl) {
        this.inputKeys = inputKeys;
        this.usual = Terms.DEFAULT.withTtl(ttl);
        this.maxTtl = maxTtl;
    }

    /** A claim of its own, which may wait. */
    RequestedClaim read(String tenant, Json body) {
        JsonFields fields = new JsonFields(body, JsonPointer.ROOT);
        return read(tenant, fields, maxWait(fields));
    }

    /** One of a batch, which is answered at once. */
    RequestedClaim readElement(String tenant, Json element, JsonPointer at) {
        return read(tenant, new JsonFields(element, at), Duration.ZERO);
    }

    private RequestedClaim read(String tenant, JsonFields fields, Duration maxWait) {
        String scope = fields.requiredText("scope", LONGEST_SCOPE);
        Optional<String> key = fields.text("key", JsonFields.MAX_KEY);
        Optional<Json> inputs = fields.any("inputs");
        Optional<String> userText = fields.freeText(USER_TEXT);
        if (key.isPresent() == inputs.isPresent()) {
            throw fields.wrong("key", "or inputs must be there, and not both");
        }
        if (userText.isPresent() && inputs.isEmpty()) {
            throw fields.wrong(USER_TEXT, "goes with inputs, which are missing");
        }
        Fingerprint fingerprint = fields.text("fingerprint", LONGEST_FINGERPRINT)
                .map(Fingerprint::of)
                .orElse(Fingerprint.NONE);
        Terms terms = terms(fields, usual);
        ClaimKind kind = key.isPresent() ? ClaimKind.KEY : ClaimKind.INPUTS;
        ResultStorage storage = storage(fields, kind);
        List<String> aliases = aliases(fields, key);
        fields.done();
        AliasedKey claim = key.isPresent()
                ? new ClaimKey(tenant, scope, key.get()).alsoKnownAs(aliases.toArray(String[]::new))
                : inputKeys.keyOf(tenant, scope, hashed(fields, inputs.orElseThrow(), userText));
        return new RequestedClaim(claim, kind, storage, fingerprint, terms, maxWait);
    }

    private static ResultStorage storage(JsonFields fields, ClaimKind kind) {
        Optional<String> store = fields.freeText(STORE);
        if (store.isEmpty()) {
            return kind.usual();
        }
        for (Keep keep : Keep.values()) {
            if (keep.name().toLowerCase(Locale.ROOT).equals(store.get())) {
                return kind.stored(keep);
            }
        }
        throw fields.wrong(STORE, "must be sealed, sanitised or none");
    }

    /** Other keys that name the same thing. */
    private static List<String> aliases(JsonFields fields, Optional<String> key) {
        List<String> aliases = fields.texts(ALSO_KNOWN_AS, AliasedKey.MAX_ALIASES, JsonFields.MAX_KEY);
        if (fields.has(ALSO_KNOWN_AS) && key.isEmpty()) {
            throw fields.wrong(ALSO_KNOWN_AS, "goes with key, which is missing");
        }
        Set<String> known = new HashSet<>();
        key.ifPresent(known::add);
        for (int i = 0; i < aliases.size(); i++) {
            if (!known.add(aliases.get(i))) {
                throw fields.wrong(ALSO_KNOWN_AS, i, "is the key or another alias again");
            }
        }
        return aliases;
    }

    /** A claim whose key a door has derived; the fields that all claims have are read here. */
    RequestedClaim derived(JsonFields fields, ClaimKey key, ClaimKind kind, Duration ttl) {
        Duration maxWait = maxWait(fields);
        Terms terms = terms(fields, Terms.DEFAULT.withTtl(ttl));
        fields.done();
        return new RequestedClaim(AliasedKey.of(key), kind, kind.usual(), Fingerprint.NONE, terms, maxWait);
    }

    private static Duration maxWait(JsonFields fields) {
        return Duration.ofMillis(fields.whole("wait_ms", 0, LONGEST_WAIT_MILLIS).orElse(0L));
    }

    /** What a user wrote stands beside the inputs or in them, and is hashed in either case. */
    private Json hashed(JsonFields fields, Json inputs, Optional<String> beside) {
        boolean inside = inputs instanceof JsonObject object && object.members().get(USER_TEXT) instanceof JsonString;
        if (beside.isEmpty() && !inside) {
            return inputs;
        }
        if (!(inputs instanceof JsonObject object)) {
            throw fields.wrong(USER_TEXT, "needs inputs that are an object");
        }
        Map<String, Json> others = new LinkedHashMap<>(object.members());
        Json within = others.remove(USER_TEXT);
        if (within != null && beside.isPresent()) {
            throw fields.wrong(USER_TEXT, "is in the inputs as well: give it once");
        }
        if (others.containsKey(UserText.MEMBER)) {
            String pointer = fields.pointer("inputs").child(UserText.MEMBER).toString();
            throw ProblemDetail.field(
                            pointer, "%s must not stand beside user_text: give the text or its hash".formatted(pointer))
                    .asException();
        }
        String text = within instanceof JsonString string ? string.value() : beside.orElseThrow();
        return inputKeys.withUserText(new JsonObject(others), text);
    }

    private Terms terms(JsonFields fields, Terms usual) {
        Terms terms = usual;
        Optional<Long> lease = fields.whole("lease_seconds", 1, LONGEST_LEASE_SECONDS);
        if (lease.isPresent()) {
            terms = terms.withLease(Duration.ofSeconds(lease.get()));
        }
        Optional<Long> ttl = fields.whole("ttl_seconds", 1, Long.MAX_VALUE);
        if (ttl.isPresent() && ttl.get() > maxTtl.toSeconds()) {
            throw fields.wrong(
                    "ttl_seconds",
                    "must be at most %d, which are the %d hours of limits.ttl_hours"
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

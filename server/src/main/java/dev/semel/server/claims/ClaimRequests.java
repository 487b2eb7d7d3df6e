// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.claims;

import dev.semel.claim.ClaimKey;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.StalePolicy;
import dev.semel.claim.Terms;
import dev.semel.content.json.Json;
import dev.semel.content.json.JsonPointer;
import dev.semel.server.http.Fields;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/** Reads claims from JSON. */
public final class ClaimRequests {
    static final long LONGEST_LEASE_SECONDS = 86_400;
    private static final long LONGEST_TTL_SECONDS = 3_153_600_000L;
    private static final long LONGEST_WAIT_MILLIS = 30_000;
    private static final int LONGEST_SCOPE = 512;
    private static final int LONGEST_FINGERPRINT = 1_024;

    private final InputKeys inputKeys;
    private final Terms usual;

    /** @param ttl how long results are kept where nobody says otherwise */
    public ClaimRequests(InputKeys inputKeys, Duration ttl) {
        this.inputKeys = inputKeys;
        this.usual = Terms.DEFAULT.withTtl(ttl);
    }

    /** A claim of its own, which may wait. */
    ClaimRequest read(String tenant, Json body) {
        Fields fields = new Fields(body, JsonPointer.ROOT);
        Duration patience = Duration.ofMillis(
                fields.whole("wait_ms", 0, LONGEST_WAIT_MILLIS).orElse(0L));
        return read(tenant, fields, patience);
    }

    /** One of a batch, which is answered at once. */
    ClaimRequest readElement(String tenant, Json element, JsonPointer at) {
        return read(tenant, new Fields(element, at), Duration.ZERO);
    }

    private ClaimRequest read(String tenant, Fields fields, Duration patience) {
        String scope = fields.requiredText("scope", LONGEST_SCOPE);
        Optional<String> key = fields.text("key", Fields.MAX_KEY);
        Optional<Json> inputs = fields.any("inputs");
        Optional<String> userText = fields.freeText("user_text");
        if (key.isPresent() == inputs.isPresent()) {
            throw fields.wrong("key", "or inputs must be there, and not both");
        }
        if (userText.isPresent() && inputs.isEmpty()) {
            throw fields.wrong("user_text", "goes with inputs, which are missing");
        }
        Fingerprint fingerprint = fields.text("fingerprint", LONGEST_FINGERPRINT)
                .map(Fingerprint::of)
                .orElse(Fingerprint.NONE);
        Terms terms = terms(fields);
        fields.done();
        ClaimKey claim = new ClaimKey(
                tenant, scope, key.orElseGet(() -> inputKeys.keyOf(tenant, inputs.orElseThrow(), userText)));
        return new ClaimRequest(
                claim, key.isPresent() ? ResultKind.KEY : ResultKind.INPUTS, fingerprint, terms, patience);
    }

    private Terms terms(Fields fields) {
        Terms terms = usual;
        Optional<Long> lease = fields.whole("lease_seconds", 1, LONGEST_LEASE_SECONDS);
        if (lease.isPresent()) {
            terms = terms.withLease(Duration.ofSeconds(lease.get()));
        }
        Optional<Long> ttl = fields.whole("ttl_seconds", 1, LONGEST_TTL_SECONDS);
        if (ttl.isPresent()) {
            terms = terms.withTtl(Duration.ofSeconds(ttl.get()));
        }
        Optional<String> onStale = fields.freeText("on_stale");
        return onStale.isPresent() ? terms.withOnStale(policy(fields, onStale.get())) : terms;
    }

    private static StalePolicy policy(Fields fields, String name) {
        for (StalePolicy policy : StalePolicy.values()) {
            if (policy.name().toLowerCase(Locale.ROOT).equals(name)) {
                return policy;
            }
        }
        throw fields.wrong("on_stale", "must be rerun, reconcile or park");
    }
}

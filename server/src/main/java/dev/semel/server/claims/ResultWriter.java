// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.claims;

import dev.semel.claim.AliasedKey;
import dev.semel.claim.ClaimRef;
import dev.semel.claim.OwnerToken;
import dev.semel.claim.StoredResult;
import dev.semel.payload.Body;
import dev.semel.payload.Kept;
import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonNull;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import dev.semel.payload.seal.SealException;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes tokens and stored results into a response. An encrypted result is bound to the reference of its record. A
 * caller who claims by an alias does not know that reference. Such a result is first written as omitted, and its
 * references are collected so that their records can be looked up.
 */
final class ResultWriter {
    private static final String ASK_ALONE = "claim this key in a single request to receive the result";

    private final ClaimResults results;

    /** The records that were looked up, by reference; null before the lookup. */
    private final @Nullable Map<ClaimRef, ClaimRef> records;

    private final Set<ClaimRef> unopened = new LinkedHashSet<>();

    private ResultWriter(ClaimResults results, @Nullable Map<ClaimRef, ClaimRef> records) {
        this.results = results;
        this.records = records;
    }

    static ResultWriter of(ClaimResults results) {
        return new ResultWriter(results, null);
    }

    /** Returns a writer for the second attempt, with the records that were found. */
    ResultWriter with(Map<ClaimRef, ClaimRef> found) {
        return new ResultWriter(results, Map.copyOf(found));
    }

    /** Returns the references of claims whose results can only be decrypted once their records are known. */
    Set<ClaimRef> unopened() {
        return unopened;
    }

    ClaimToken tokenOf(ResultStorage storage, OwnerToken owner) {
        return results.tokenOf(storage, owner);
    }

    /** Writes a replay: the result, the form in which it was kept, and a note about what is missing. */
    void replay(AliasedKey key, @Nullable StoredResult stored, JsonObject.Builder answer) {
        if (stored == null) {
            put(JsonNull.NULL, "none", "the claim was settled without a result", answer);
        } else if (stored.isOmitted()) {
            put(JsonNull.NULL, "omitted", ASK_ALONE, answer);
        } else {
            try {
                put(results.read(key, stored), answer);
            } catch (SealException e) {
                unopened(key, stored, e.reason(), answer);
            }
        }
    }

    private void unopened(AliasedKey key, StoredResult stored, SealException.Reason reason, JsonObject.Builder answer) {
        if (reason != SealException.Reason.NOT_AUTHENTIC) {
            put(JsonNull.NULL, "none", "the secret that encrypted the result is not active any more", answer);
        } else if (records == null) {
            unopened.addAll(results.refsOf(key));
            put(JsonNull.NULL, "omitted", ASK_ALONE, answer);
        } else {
            Optional<Kept> kept = opened(key, stored, records);
            if (kept.isPresent()) {
                put(kept.get(), answer);
            } else {
                put(
                        JsonNull.NULL,
                        "none",
                        "the result was changed after it was encrypted and cannot be decrypted",
                        answer);
            }
        }
    }

    private Optional<Kept> opened(AliasedKey key, StoredResult stored, Map<ClaimRef, ClaimRef> known) {
        return results.refsOf(key).stream()
                .map(known::get)
                .filter(Objects::nonNull)
                .distinct()
                .flatMap(record -> opened(record, stored).stream())
                .findFirst();
    }

    private Optional<Kept> opened(ClaimRef record, StoredResult stored) {
        try {
            return Optional.of(results.read(record, stored));
        } catch (SealException e) {
            return Optional.empty();
        }
    }

    private static void put(Kept kept, JsonObject.Builder answer) {
        if (kept instanceof Kept.Exact exact) {
            put(parsed(exact.body()), "exact", "", answer);
        } else if (kept instanceof Kept.Sanitised sanitised) {
            put(parsed(sanitised.body()), "sanitised", note(sanitised.extent()), answer);
        } else {
            put(JsonNull.NULL, "none", ((Kept.Nothing) kept).why(), answer);
        }
    }

    /** Returns a note for a result that is not complete; empty if it is. */
    private static String note(Kept.Extent extent) {
        return switch (extent) {
            case WHOLE -> "";
            case PARTIAL -> "parts of the result were removed or masked when it was stored";
            case UNKNOWN -> "parts of the result may have been removed or masked when it was stored";
        };
    }

    private static Json parsed(Body body) {
        return Json.parse(body.bytes());
    }

    private static void put(Json result, String form, String note, JsonObject.Builder answer) {
        answer.put("result", result);
        answer.put("result_form", new JsonString(form));
        if (!note.isEmpty()) {
            answer.put("result_note", new JsonString(note));
        }
    }
}

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
import dev.semel.payload.json.JsonString;
import dev.semel.payload.seal.SealException;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Tokens and stored results, as one answer tells them. A sealed result opens under its record's own reference. A caller who
 * claims by an alias alone does not know it: such a result is told as omitted, and its names are noted, until their records
 * have been looked up.
 */
final class ResultWriter {
    private static final String ASK_ALONE = "ask for this claim alone";

    private final ClaimResults results;

    /** Which records the names lead to that were looked up; null before. */
    private final @Nullable Map<ClaimRef, ClaimRef> records;

    private final Set<ClaimRef> unopened = new LinkedHashSet<>();

    private ResultWriter(ClaimResults results, @Nullable Map<ClaimRef, ClaimRef> records) {
        this.results = results;
        this.records = records;
    }

    static ResultWriter of(ClaimResults results) {
        return new ResultWriter(results, null);
    }

    /** The same, for an answer that is made once more. */
    ResultWriter with(Map<ClaimRef, ClaimRef> found) {
        return new ResultWriter(results, Map.copyOf(found));
    }

    /** The names of claims whose results open only once their records are known. */
    Set<ClaimRef> unopened() {
        return unopened;
    }

    ClaimToken tokenOf(ResultStorage storage, OwnerToken owner) {
        return results.tokenOf(storage, owner);
    }

    /** Puts what a replay has to say into an answer: the result, in which form it was kept, and what is missing. */
    void replay(AliasedKey key, @Nullable StoredResult stored, Map<String, Json> answer) {
        if (stored == null) {
            put(JsonNull.NULL, "none", "it was settled without a result", answer);
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

    private void unopened(AliasedKey key, StoredResult stored, SealException.Reason reason, Map<String, Json> answer) {
        if (reason != SealException.Reason.NOT_AUTHENTIC) {
            put(JsonNull.NULL, "none", "it was sealed by a secret that is not alive any more", answer);
        } else if (records == null) {
            unopened.addAll(results.refsOf(key));
            put(JsonNull.NULL, "omitted", ASK_ALONE, answer);
        } else {
            Optional<Kept> kept = opened(key, stored, records);
            if (kept.isPresent()) {
                put(kept.get(), answer);
            } else {
                put(JsonNull.NULL, "none", "it was changed after it was sealed, and does not open", answer);
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

    private static void put(Kept kept, Map<String, Json> answer) {
        if (kept instanceof Kept.Exact exact) {
            put(parsed(exact.body()), "exact", "", answer);
        } else if (kept instanceof Kept.Sanitised sanitised) {
            put(parsed(sanitised.body()), "sanitised", note(sanitised.extent()), answer);
        } else {
            put(JsonNull.NULL, "none", ((Kept.Nothing) kept).why(), answer);
        }
    }

    /** A result without a note is whole. */
    private static String note(Kept.Extent extent) {
        return switch (extent) {
            case WHOLE -> "";
            case PARTIAL -> "parts of the result were left out or masked when it was stored";
            case UNKNOWN -> "parts of the result may have been left out or masked when it was stored";
        };
    }

    private static Json parsed(Body body) {
        return Json.parse(body.bytes());
    }

    private static void put(Json result, String form, String note, Map<String, Json> answer) {
        answer.put("result", result);
        answer.put("result_form", new JsonString(form));
        if (!note.isEmpty()) {
            answer.put("result_note", new JsonString(note));
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.claims;

import dev.semel.ClaimOutcome;
import dev.semel.claim.StoredResult;
import dev.semel.payload.json.Json;
import dev.semel.server.http.HttpAnswer;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Builds the response to a batch of claims. It contains every verdict. Results are included up to a limit of bytes and
 * omitted beyond it. A claim that occurs several times in the batch is decoded once. Only one decoded document is held
 * at a time; finished verdicts are held as bytes.
 */
final class BatchAnswer {
    /** Maximum total bytes of verdicts that include a result. */
    static final int MAX_RESULT_BYTES = 4 << 20;

    private static final byte[] START = utf8("{\"verdicts\":[");
    private static final byte[] BETWEEN = utf8(",");

    private final ResultWriter results;
    private final List<byte[]> verdicts = new ArrayList<>();
    private final IdentityHashMap<StoredResult, Rendered> rendered = new IdentityHashMap<>();
    private int room;
    private boolean more;

    /** @param room maximum total bytes of verdicts that include a result */
    BatchAnswer(ResultWriter results, int room) {
        this.results = results;
        this.room = room;
    }

    void add(Json verdict) {
        verdicts.add(verdict.utf8());
    }

    void add(RequestedClaim request, ClaimOutcome outcome) {
        StoredResult stored = resultOf(outcome);
        if (stored == null) {
            add(ClaimVerdict.of(request, outcome, results).body());
            return;
        }
        byte[] verdict = stored.isOmitted() ? null : verdict(request, outcome, stored);
        if (verdict == null || verdict.length > room) {
            more = true;
            add(ClaimVerdict.of(request, omitted(outcome, stored), results).body());
            return;
        }
        room -= verdict.length;
        verdicts.add(verdict);
    }

    /** Returns the verdict with its result, or null if it is known not to fit. */
    private byte @Nullable [] verdict(RequestedClaim request, ClaimOutcome outcome, StoredResult stored) {
        Rendered known = rendered.get(stored);
        if (known != null && known.kind() == request.kind()) {
            return known.verdict();
        }
        byte[] verdict = ClaimVerdict.of(request, outcome, results).body().utf8();
        // The remaining room only shrinks, so a verdict that does not fit now never will.
        rendered.put(stored, new Rendered(request.kind(), verdict.length > room ? null : verdict));
        return verdict;
    }

    HttpAnswer answer() {
        byte[] end = utf8("],\"more\":" + (more || !results.unopened().isEmpty()) + "}");
        int size = START.length + end.length + verdicts.size();
        for (byte[] verdict : verdicts) {
            size += verdict.length;
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream(size);
        out.writeBytes(START);
        for (int i = 0; i < verdicts.size(); i++) {
            if (i > 0) {
                out.writeBytes(BETWEEN);
            }
            out.writeBytes(verdicts.get(i));
        }
        out.writeBytes(end);
        return HttpAnswer.json(200, out.toByteArray());
    }

    private static @Nullable StoredResult resultOf(ClaimOutcome outcome) {
        if (outcome instanceof ClaimOutcome.Succeeded succeeded) {
            return succeeded.result();
        }
        return outcome instanceof ClaimOutcome.Failed failed ? failed.result() : null;
    }

    private static ClaimOutcome omitted(ClaimOutcome outcome, StoredResult stored) {
        StoredResult omitted = StoredResult.omitted(stored.size());
        return outcome instanceof ClaimOutcome.Succeeded
                ? new ClaimOutcome.Succeeded(omitted)
                : new ClaimOutcome.Failed(omitted);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** The verdict created for a stored result; null bytes if it does not fit. */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    private record Rendered(ClaimKind kind, byte @Nullable [] verdict) {}
}

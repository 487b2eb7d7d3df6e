// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.ledger;

import dev.semel.claim.Fingerprint;
import dev.semel.journal.ledger.Ingestion;
import dev.semel.journal.ledger.LedgerEntry;
import dev.semel.journal.ledger.LedgerEvent;
import dev.semel.payload.same.Difference;
import dev.semel.server.http.Answer;
import dev.semel.server.http.Problem;
import dev.semel.server.http.ProblemType;
import dev.semel.server.http.ShownKey;
import dev.semel.server.http.StoreProblems;

/** What came of an entry, in HTTP. */
final class LedgerAnswers {
    private LedgerAnswers() {}

    static Answer of(LedgerEntry entry, Ingestion ingestion) {
        String key = entry.idempotencyKey();
        return plain(ingestion)
                .with(
                        "X-Idempotency-Key",
                        ShownKey.of(
                                key, () -> Fingerprint.of(entry.orgId(), key).hex()));
    }

    private static Answer plain(Ingestion ingestion) {
        if (ingestion instanceof Ingestion.Written written) {
            return event(201, written.event()).with("X-Idempotency-Status", "MISS");
        }
        if (ingestion instanceof Ingestion.Existing existing) {
            Answer answer = event(200, existing.event())
                    .with("X-Idempotency-Status", "HIT")
                    .with("Idempotent-Replayed", "true");
            return existing.differs() ? differing(answer, existing.difference()) : answer;
        }
        if (ingestion instanceof Ingestion.Rejected rejected) {
            return differing(rejected().with("X-Idempotency-Status", "CONFLICT"), rejected.difference());
        }
        return StoreProblems.of(((Ingestion.Failed) ingestion).cause()).answer();
    }

    static Answer rejected() {
        return Problem.of(ProblemType.MISMATCH, "The key was used for another event")
                .answer();
    }

    private static Answer event(int status, LedgerEvent event) {
        return Answer.json(status, event.utf8());
    }

    private static Answer differing(Answer answer, Difference difference) {
        return answer.with("Idempotency-Differs", places(difference));
    }

    /** Where events differ; all of it, if nobody can say where. */
    static String places(Difference difference) {
        String places = difference.headerValue();
        return places.isEmpty() ? "/" : places;
    }
}

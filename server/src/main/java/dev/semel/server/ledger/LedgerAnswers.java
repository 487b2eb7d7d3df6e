// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.ledger;

import dev.semel.journal.ledger.Ingestion;
import dev.semel.journal.ledger.LedgerEntry;
import dev.semel.journal.ledger.LedgerEvent;
import dev.semel.payload.compare.Difference;
import dev.semel.server.http.HttpAnswer;
import dev.semel.server.http.KeyHeader;
import dev.semel.server.http.ProblemDetail;
import dev.semel.server.http.ProblemType;
import dev.semel.server.http.StoreProblems;

/** Creates HTTP responses for ledger entries. */
final class LedgerAnswers {
    private LedgerAnswers() {}

    static HttpAnswer of(LedgerEntry entry, Ingestion ingestion) {
        String key = entry.idempotencyKey();
        return plain(ingestion)
                .with(
                        "X-Idempotency-Key",
                        KeyHeader.of(key, () -> entry.keyHash().hex()));
    }

    private static HttpAnswer plain(Ingestion ingestion) {
        if (ingestion instanceof Ingestion.Written written) {
            return event(201, written.event()).with("X-Idempotency-Status", "MISS");
        }
        if (ingestion instanceof Ingestion.Existing existing) {
            HttpAnswer answer = event(200, existing.event())
                    .with("X-Idempotency-Status", "HIT")
                    .with("Idempotent-Replayed", "true");
            return existing.differs() ? differing(answer, existing.difference()) : answer;
        }
        if (ingestion instanceof Ingestion.Rejected rejected) {
            return differing(rejected().with("X-Idempotency-Status", "CONFLICT"), rejected.difference());
        }
        return StoreProblems.of(((Ingestion.Failed) ingestion).cause()).answer();
    }

    static HttpAnswer rejected() {
        return ProblemDetail.of(ProblemType.MISMATCH, "The key was used before for another event")
                .answer();
    }

    private static HttpAnswer event(int status, LedgerEvent event) {
        return HttpAnswer.json(status, event.utf8());
    }

    private static HttpAnswer differing(HttpAnswer answer, Difference difference) {
        return answer.with("Idempotency-Differs", places(difference));
    }

    /** Returns where the events differ, or the root if that is unknown. */
    static String places(Difference difference) {
        String places = difference.headerValue();
        return places.isEmpty() ? "/" : places;
    }
}

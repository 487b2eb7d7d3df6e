// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.ledger;

import dev.semel.journal.ledger.Ingestion;
import dev.semel.journal.ledger.LedgerEntry;
import dev.semel.journal.ledger.LedgerEvent;
import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonNumber;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import dev.semel.server.http.HttpAnswer;
import dev.semel.server.http.Identity;
import dev.semel.server.http.JsonBodies;
import dev.semel.server.http.MemoryCharge;
import dev.semel.server.http.ProblemDetail;
import dev.semel.server.http.ProblemException;
import dev.semel.server.http.ProblemType;
import dev.semel.server.http.StoreProblems;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The lines of a batch: one entry and one response line each, in order. */
final class LedgerLines {
    private static final Json CREATED = JsonNumber.of(201);
    private static final Json FOUND = JsonNumber.of(200);

    private final LedgerEntries entries;
    private final RateLimitedLedger ledger;

    LedgerLines(LedgerEntries entries, RateLimitedLedger ledger) {
        this.entries = entries;
        this.ledger = ledger;
    }

    Line read(Identity identity, LineSplitter.Line line) {
        if (line.tooLong()) {
            return new Line(
                    null, ProblemDetail.of(ProblemType.CONTENT_TOO_LARGE, "A line must not exceed limits.body_bytes"));
        }
        try {
            return new Line(entries.read(identity, JsonBodies.parse(line.bytes())), null);
        } catch (ProblemException e) {
            return new Line(null, e.problem());
        }
    }

    /** Returns the line for an entry that does not fit into memory now. */
    static Line busy() {
        return new Line(null, MemoryCharge.busy());
    }

    /** Writes all valid entries and returns one response line per line. */
    CompletionStage<byte[]> ingest(List<Line> lines) {
        List<LedgerEntry> good = new ArrayList<>();
        for (Line line : lines) {
            if (line.entry() != null) {
                good.add(line.entry());
            }
        }
        return ledger.ingestAll(good).thenApply(outcomes -> answers(lines, outcomes));
    }

    private static byte[] answers(List<Line> lines, List<RateLimitedLedger.EntryOutcome> outcomes) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int next = 0;
        for (Line line : lines) {
            JsonObject json = line.problem() == null ? outcomeLine(outcomes.get(next++)) : problem(line.problem());
            out.writeBytes(json.utf8());
            out.write('\n');
        }
        return out.toByteArray();
    }

    private static JsonObject outcomeLine(RateLimitedLedger.EntryOutcome outcome) {
        return outcome instanceof RateLimitedLedger.EntryOutcome.TooMany tooMany
                ? problem(tooMany.problem())
                : outcomeLine(((RateLimitedLedger.EntryOutcome.Decided) outcome).ingestion());
    }

    private static JsonObject outcomeLine(Ingestion ingestion) {
        if (ingestion instanceof Ingestion.Written written) {
            return event(CREATED, written.event(), null);
        }
        if (ingestion instanceof Ingestion.Existing existing) {
            return event(
                    FOUND, existing.event(), existing.differs() ? LedgerAnswers.places(existing.difference()) : null);
        }
        HttpAnswer answer = ingestion instanceof Ingestion.Failed failed
                ? StoreProblems.of(failed.cause()).answer()
                : LedgerAnswers.rejected();
        return problemOf(answer.status(), Json.parse(answer.body()));
    }

    private static JsonObject event(Json status, LedgerEvent event, @Nullable String differs) {
        JsonString id = new JsonString(event.id().toString());
        JsonObject.Builder line =
                new JsonObject.Builder().put("status", status).put("id", id).put("event_id", id);
        if (differs != null) {
            line.put("differs", new JsonString(differs));
        }
        return line.build();
    }

    private static JsonObject problem(ProblemDetail problem) {
        return problemOf(problem.type().status(), problem.json());
    }

    private static JsonObject problemOf(int status, Json problem) {
        return new JsonObject.Builder()
                .put("status", JsonNumber.of(status))
                .put("problem", problem)
                .build();
    }

    /** A parsed line: an entry or a problem. */
    record Line(@Nullable LedgerEntry entry, @Nullable ProblemDetail problem) {}
}

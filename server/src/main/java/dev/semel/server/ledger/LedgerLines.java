// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.ledger;

import dev.semel.journal.ledger.Ingestion;
import dev.semel.journal.ledger.LedgerEntry;
import dev.semel.journal.ledger.LedgerEvent;
import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonNumber;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import dev.semel.server.http.Answer;
import dev.semel.server.http.Charge;
import dev.semel.server.http.Identity;
import dev.semel.server.http.JsonBodies;
import dev.semel.server.http.Problem;
import dev.semel.server.http.ProblemException;
import dev.semel.server.http.ProblemType;
import dev.semel.server.http.StoreProblems;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Lines of a batch: one entry each, one answer each, in order. */
final class LedgerLines {
    private static final Json CREATED = JsonNumber.of(201);
    private static final Json FOUND = JsonNumber.of(200);

    private final LedgerEntries entries;
    private final NewEntries ledger;

    LedgerLines(LedgerEntries entries, NewEntries ledger) {
        this.entries = entries;
        this.ledger = ledger;
    }

    Line read(Identity identity, LineSplitter.Line line) {
        if (line.tooLong()) {
            return new Line(
                    null,
                    Problem.of(ProblemType.CONTENT_TOO_LARGE, "A line is bounded as a body is, by limits.body_bytes"));
        }
        try {
            return new Line(entries.read(identity, JsonBodies.parse(line.bytes())), null);
        } catch (ProblemException e) {
            return new Line(null, e.problem());
        }
    }

    /** A line that there is no memory for now. */
    static Line busy() {
        return new Line(null, Charge.busy());
    }

    /** Writes what can be written; the answers, a line each. */
    CompletionStage<byte[]> ingest(List<Line> lines) {
        List<LedgerEntry> good = new ArrayList<>();
        for (Line line : lines) {
            if (line.entry() != null) {
                good.add(line.entry());
            }
        }
        return ledger.ingestAll(good).thenApply(outcomes -> answers(lines, outcomes));
    }

    private static byte[] answers(List<Line> lines, List<NewEntries.Outcome> outcomes) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int next = 0;
        for (Line line : lines) {
            JsonObject json = line.problem() == null ? told(outcomes.get(next++)) : problem(line.problem());
            out.writeBytes(json.utf8());
            out.write('\n');
        }
        return out.toByteArray();
    }

    private static JsonObject told(NewEntries.Outcome outcome) {
        return outcome instanceof NewEntries.Outcome.TooMany tooMany
                ? problem(tooMany.problem())
                : told(((NewEntries.Outcome.Told) outcome).ingestion());
    }

    private static JsonObject told(Ingestion ingestion) {
        if (ingestion instanceof Ingestion.Written written) {
            return event(CREATED, written.event(), null);
        }
        if (ingestion instanceof Ingestion.Existing existing) {
            return event(
                    FOUND, existing.event(), existing.differs() ? LedgerAnswers.places(existing.difference()) : null);
        }
        Answer answer = ingestion instanceof Ingestion.Failed failed
                ? StoreProblems.of(failed.cause()).answer()
                : LedgerAnswers.rejected();
        return problemOf(answer.status(), Json.parse(answer.body()));
    }

    private static JsonObject event(Json status, LedgerEvent event, @Nullable String differs) {
        JsonString id = new JsonString(event.id().toString());
        JsonObject.Builder told =
                new JsonObject.Builder().put("status", status).put("id", id).put("event_id", id);
        if (differs != null) {
            told.put("differs", new JsonString(differs));
        }
        return told.build();
    }

    private static JsonObject problem(Problem problem) {
        return problemOf(problem.type().status(), problem.json());
    }

    private static JsonObject problemOf(int status, Json problem) {
        return new JsonObject.Builder()
                .put("status", JsonNumber.of(status))
                .put("problem", problem)
                .build();
    }

    /** What a line holds: an entry, or what is wrong with it. */
    record Line(@Nullable LedgerEntry entry, @Nullable Problem problem) {}
}

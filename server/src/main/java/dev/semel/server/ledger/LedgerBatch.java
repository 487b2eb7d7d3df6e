// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.ledger;

import dev.semel.content.json.Json;
import dev.semel.content.json.JsonNumber;
import dev.semel.content.json.JsonObject;
import dev.semel.content.json.JsonString;
import dev.semel.records.Ingestion;
import dev.semel.records.Ledger;
import dev.semel.records.LedgerEntry;
import dev.semel.records.LedgerEvent;
import dev.semel.server.http.Answer;
import dev.semel.server.http.Exchange;
import dev.semel.server.http.JsonBodies;
import dev.semel.server.http.NewKeyRate;
import dev.semel.server.http.Problem;
import dev.semel.server.http.ProblemException;
import dev.semel.server.http.StoreProblems;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** {@code POST /api/ledger/ingest/batch}: one entry a line, one answer a line, in order. */
final class LedgerBatch {
    private static final String NDJSON = "application/x-ndjson";

    private final Ledger ledger;
    private final LedgerEntries entries;
    private final NewKeyRate rate;

    LedgerBatch(Ledger ledger, LedgerEntries entries, NewKeyRate rate) {
        this.ledger = ledger;
        this.entries = entries;
        this.rate = rate;
    }

    CompletionStage<Answer> ingest(Exchange exchange, byte[] body) {
        List<Line> lines = lines(exchange, body);
        List<LedgerEntry> good = new ArrayList<>();
        for (Line line : lines) {
            if (line.entry() != null) {
                good.add(line.entry());
            }
        }
        rate.take(exchange.tenant(), good.size());
        return ledger.ingestAll(good).thenApply(ingestions -> {
            long written = ingestions.stream()
                    .filter(Ingestion.Written.class::isInstance)
                    .count();
            rate.giveBack(exchange.tenant(), good.size() - (int) written);
            return answer(lines, ingestions);
        });
    }

    private List<Line> lines(Exchange exchange, byte[] body) {
        List<Line> lines = new ArrayList<>();
        int start = 0;
        for (int i = 0; i <= body.length; i++) {
            if (i == body.length || body[i] == '\n') {
                byte[] line = Arrays.copyOfRange(body, start, i > start && body[i - 1] == '\r' ? i - 1 : i);
                start = i + 1;
                if (line.length > 0) {
                    lines.add(line(exchange, line));
                }
            }
        }
        return lines;
    }

    private Line line(Exchange exchange, byte[] text) {
        try {
            return new Line(entries.read(exchange.identity(), JsonBodies.parse(text)), null);
        } catch (ProblemException e) {
            return new Line(null, e.problem());
        }
    }

    private static Answer answer(List<Line> lines, List<Ingestion> ingestions) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int next = 0;
        for (Line line : lines) {
            JsonObject json = line.problem() == null ? told(ingestions.get(next++)) : problem(line.problem());
            out.writeBytes(json.utf8());
            out.write('\n');
        }
        return new Answer(200, NDJSON, out.toByteArray(), Map.of());
    }

    private static JsonObject told(Ingestion ingestion) {
        if (ingestion instanceof Ingestion.Written written) {
            return event(201, written.event(), null);
        }
        if (ingestion instanceof Ingestion.Existing existing) {
            return event(
                    200,
                    existing.event(),
                    existing.differs() ? existing.difference().headerValue() : null);
        }
        Answer answer = ingestion instanceof Ingestion.Failed failed
                ? StoreProblems.of(failed.cause()).answer()
                : LedgerAnswers.rejected();
        return problemOf(answer.status(), Json.parse(answer.body()));
    }

    private static JsonObject event(int status, LedgerEvent event, @Nullable String differs) {
        Map<String, Json> members = new LinkedHashMap<>();
        members.put("status", JsonNumber.of(status));
        members.put("id", new JsonString(event.id().toString()));
        members.put("event_id", new JsonString(event.id().toString()));
        if (differs != null) {
            members.put("differs", new JsonString(differs));
        }
        return new JsonObject(members);
    }

    private static JsonObject problem(Problem problem) {
        return problemOf(problem.type().status(), problem.json());
    }

    private static JsonObject problemOf(int status, Json problem) {
        Map<String, Json> members = new LinkedHashMap<>();
        members.put("status", JsonNumber.of(status));
        members.put("problem", problem);
        return new JsonObject(members);
    }

    /** What a line holds: an entry, or what is wrong with it. */
    private record Line(
            @Nullable LedgerEntry entry, @Nullable Problem problem) {}
}

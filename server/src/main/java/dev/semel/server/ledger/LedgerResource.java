// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.ledger;

import dev.semel.journal.ledger.Ledger;
import dev.semel.journal.ledger.LedgerEntry;
import dev.semel.journal.ledger.LedgerEvent;
import dev.semel.payload.json.Json;
import dev.semel.server.config.ServerMode;
import dev.semel.server.config.Settings;
import dev.semel.server.http.Access;
import dev.semel.server.http.Answer;
import dev.semel.server.http.Exchange;
import dev.semel.server.http.NewKeyRate;
import dev.semel.server.http.Paging;
import dev.semel.server.http.Problem;
import dev.semel.server.http.ProblemType;
import dev.semel.server.http.Resource;
import dev.semel.server.http.Routes;
import java.util.concurrent.CompletionStage;

/** {@code POST /api/ledger/ingest}, its batch, and what was written. */
public final class LedgerResource implements Resource {
    private static final int LONGEST_NAME = 255;

    private final Ledger ledger;
    private final LedgerEntries entries;
    private final NewEntries writing;
    private final LedgerLines lines;
    private final int maxBytes;
    private final boolean production;

    public LedgerResource(Ledger ledger, NewKeyRate rate, Settings settings) {
        this.ledger = ledger;
        this.production = settings.mode() == ServerMode.PRODUCTION;
        this.maxBytes = settings.limits().bodyBytes();
        this.entries = new LedgerEntries(production);
        this.writing = new NewEntries(ledger, rate);
        this.lines = new LedgerLines(entries, writing);
    }

    @Override
    public void addTo(Routes routes) {
        routes.post("/api/ledger/ingest", Access.USE, this::ingest);
        routes.postStream(
                "/api/ledger/ingest/batch",
                Access.USE,
                (exchange, progress) -> new LedgerStream(exchange, lines, maxBytes, progress).start());
        routes.get("/api/ledger/events/{id}", Access.LOOK, this::find);
        routes.get("/api/ledger/events", Access.LOOK, this::page);
    }

    private CompletionStage<Answer> ingest(Exchange exchange, Json body) {
        LedgerEntry entry = entries.read(exchange.identity(), body);
        return writing.ingest(entry)
                .thenApply(outcome -> outcome instanceof NewEntries.Outcome.TooMany tooMany
                        ? tooMany.problem().answer()
                        : LedgerAnswers.of(entry, ((NewEntries.Outcome.Told) outcome).ingestion()));
    }

    /** In development nobody says whose events they are: an id is enough, and org_id is checked where it is given. */
    private CompletionStage<Answer> find(Exchange exchange) {
        String organization = production
                ? exchange.tenant()
                : exchange.name("org_id", LONGEST_NAME).orElse(null);
        exchange.charge().takeForRecord();
        return ledger.find(organization, Paging.uuid(exchange.path("id")))
                .thenApply(found ->
                        Answer.json(200, found.orElseThrow(Paging::nothing).utf8()));
    }

    private CompletionStage<Answer> page(Exchange exchange) {
        String organization = exchange.name("org_id", LONGEST_NAME)
                .orElseThrow(() -> Problem.field("org_id", "The parameter org_id is missing")
                        .asException());
        if (production && !organization.equals(exchange.tenant())) {
            throw Problem.of(ProblemType.FORBIDDEN, "The token belongs to another organization than org_id")
                    .asException();
        }
        return Paging.read(exchange, (after, limit, maxBytes) -> ledger.page(organization, after, limit, maxBytes))
                .thenApply(page -> Paging.answer(
                        "events",
                        page.items().stream().map(LedgerEvent::utf8),
                        page.cursor(),
                        page.more(),
                        page.unsettled()));
    }
}

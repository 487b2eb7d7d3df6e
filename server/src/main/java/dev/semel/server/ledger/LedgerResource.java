// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.ledger;

import dev.semel.journal.ledger.Ledger;
import dev.semel.journal.ledger.LedgerEntry;
import dev.semel.journal.ledger.LedgerEvent;
import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonPointer;
import dev.semel.server.config.ServerMode;
import dev.semel.server.config.Settings;
import dev.semel.server.http.HttpAnswer;
import dev.semel.server.http.JsonFields;
import dev.semel.server.http.NewKeyRate;
import dev.semel.server.http.Pagination;
import dev.semel.server.http.ProblemDetail;
import dev.semel.server.http.ProblemType;
import dev.semel.server.http.RequestContext;
import dev.semel.server.http.Resource;
import dev.semel.server.http.RouteAccess;
import dev.semel.server.http.Routes;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** {@code POST /api/ledger/ingest}, {@code POST /api/ledger/ingest/batch} and reads of ledger events. */
public final class LedgerResource implements Resource {
    private static final int LONGEST_NAME = 255;
    private static final Set<String> LIST = Set.of("org_id", "after", "limit", "last", "before");

    private final Ledger ledger;
    private final LedgerEntries entries;
    private final RateLimitedLedger writing;
    private final LedgerLines lines;
    private final int maxBytes;
    private final boolean production;

    public LedgerResource(Ledger ledger, NewKeyRate rate, Settings settings) {
        this.ledger = ledger;
        this.production = settings.mode() == ServerMode.PRODUCTION;
        this.maxBytes = settings.limits().bodyBytes();
        this.entries = new LedgerEntries(production);
        this.writing = new RateLimitedLedger(ledger, rate);
        this.lines = new LedgerLines(entries, writing);
    }

    @Override
    public void addTo(Routes routes) {
        routes.post("/api/ledger/ingest", RouteAccess.USE, this::ingest);
        routes.postStream(
                "/api/ledger/ingest/batch",
                RouteAccess.USE,
                (context, progress) -> new LedgerStream(context, lines, maxBytes, progress).start());
        routes.post("/api/ledger/lookup", RouteAccess.LOOK, this::lookup);
        routes.get("/api/ledger/events/{id}", RouteAccess.LOOK, Set.of("org_id"), this::find);
        routes.get("/api/ledger/events", RouteAccess.LOOK, LIST, this::page);
    }

    private CompletionStage<HttpAnswer> ingest(RequestContext context, Json body) {
        LedgerEntry entry = entries.read(context.identity(), body);
        return writing.ingest(entry)
                .thenApply(outcome -> outcome instanceof RateLimitedLedger.EntryOutcome.TooMany tooMany
                        ? tooMany.problem().answer()
                        : LedgerAnswers.of(entry, ((RateLimitedLedger.EntryOutcome.Decided) outcome).ingestion()));
    }

    /** Finds an event by id. In development the id is sufficient, and org_id is checked if given. */
    private CompletionStage<HttpAnswer> find(RequestContext context) {
        String organization = production
                ? context.tenant()
                : context.name("org_id", LONGEST_NAME).orElse(null);
        context.charge().takeForRecord();
        return ledger.find(organization, Pagination.uuid(context.path("id")))
                .thenApply(found -> HttpAnswer.json(
                        200, found.orElseThrow(Pagination::notFound).utf8()));
    }

    /** Finds an event by its key. The key is in the body, so that no access log contains it. */
    private CompletionStage<HttpAnswer> lookup(RequestContext context, Json body) {
        JsonFields fields = new JsonFields(body, JsonPointer.ROOT);
        String organization = fields.requiredText("org_id", LONGEST_NAME);
        String key = fields.requiredText("idempotency_key", LedgerEntry.MAX_KEY);
        fields.done();
        if (production && !organization.equals(context.tenant())) {
            throw ProblemDetail.of(ProblemType.FORBIDDEN, "The token belongs to an organization other than org_id")
                    .asException();
        }
        context.charge().takeForRecord();
        return ledger.findByKey(organization, key)
                .thenApply(found -> HttpAnswer.json(
                        200, found.orElseThrow(Pagination::notFound).utf8()));
    }

    private CompletionStage<HttpAnswer> page(RequestContext context) {
        String organization = context.name("org_id", LONGEST_NAME)
                .orElseThrow(() -> ProblemDetail.field("org_id", "The parameter org_id is required")
                        .asException());
        if (production && !organization.equals(context.tenant())) {
            throw ProblemDetail.of(ProblemType.FORBIDDEN, "The token belongs to an organization other than org_id")
                    .asException();
        }
        return Pagination.answer(
                context,
                "events",
                (until, items) -> ledger.back(organization, until, items),
                (after, limit, maxBytes) -> ledger.page(organization, after, limit, maxBytes),
                LedgerEvent::utf8);
    }
}

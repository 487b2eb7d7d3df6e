// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.calls;

import dev.semel.journal.calls.CallEvent;
import dev.semel.journal.calls.CallEvents;
import dev.semel.journal.calls.CallOutcome;
import dev.semel.journal.calls.CallSignature;
import dev.semel.journal.calls.StoredCall;
import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonBoolean;
import dev.semel.payload.json.JsonNull;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonPointer;
import dev.semel.payload.json.JsonString;
import dev.semel.server.calls.CallVerification.Verdict;
import dev.semel.server.config.ServerMode;
import dev.semel.server.config.Settings;
import dev.semel.server.http.Access;
import dev.semel.server.http.Answer;
import dev.semel.server.http.Exchange;
import dev.semel.server.http.Fields;
import dev.semel.server.http.JsonBodies;
import dev.semel.server.http.NewKeyRate;
import dev.semel.server.http.Paging;
import dev.semel.server.http.Problem;
import dev.semel.server.http.ProblemException;
import dev.semel.server.http.ProblemType;
import dev.semel.server.http.Resource;
import dev.semel.server.http.Routes;
import dev.semel.server.http.StoreProblems;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** {@code POST /api/call-event}, {@code GET /api/calls/{id}} and {@code GET /api/calls}. */
public final class CallsResource implements Resource {
    private final CallEvents calls;
    private final NewKeyRate rate;
    private final CallVerification verification;
    private final boolean production;

    /** @param rate how much a site may store */
    public CallsResource(CallEvents calls, NewKeyRate rate, Settings settings) {
        this.calls = calls;
        this.rate = rate;
        this.verification = new CallVerification(settings);
        this.production = settings.mode() == ServerMode.PRODUCTION;
    }

    @Override
    public void addTo(Routes routes) {
        // The signature lets it in.
        routes.postBytes("/api/call-event", Access.OPEN, this::event);
        routes.get("/api/calls/{id}", Access.LOOK, this::find);
        routes.get("/api/calls", Access.LOOK, this::page);
    }

    private CompletionStage<Answer> event(Exchange exchange, byte[] body) {
        JsonBodies.requireJson(exchange.request());
        Json json = JsonBodies.parse(body);
        Fields fields = new Fields(json, JsonPointer.ROOT);
        String site = fields.requiredText("site_id", CallEvent.MAX_SITE);
        String signature = exchange.header("x-ops-signature")
                .filter(text -> !text.isEmpty())
                .orElse(null);
        String timestamp = exchange.header("x-ops-timestamp").orElse(null);
        Verdict verdict = verification.of(site, signature, timestamp, body);
        if (verdict == Verdict.REFUSED) {
            throw refused();
        }
        String hash = signature == null ? null : CallSignature.hashOf(signature);
        if (verdict == Verdict.ONLY_IF_KNOWN && hash != null) {
            return known(site, hash, true, CallsResource::refused);
        }
        CallEvent event;
        try {
            event = new CallEvent(site, (JsonObject) json, hash, verdict == Verdict.VERIFIED);
        } catch (IllegalArgumentException e) {
            throw Problem.field("", String.valueOf(e.getMessage())).asException();
        }
        Optional<Problem> tooMuch = rate.tryTake(site, 0, body.length);
        if (tooMuch.isPresent()) {
            // An event that is known stores nothing, and its answer is owed beyond the bound.
            ProblemException refusal = tooMuch.get().asException();
            if (hash == null) {
                throw refusal;
            }
            return known(site, hash, event.verified(), () -> refusal);
        }
        return calls.record(event).thenApply(recording -> {
            rate.giveBack(site, 0, 0, body.length, recording instanceof CallOutcome.Inserted ? body.length : 0);
            return answer(recording, hash, event.verified());
        });
    }

    private CompletionStage<Answer> known(
            String site, String hash, boolean verified, Supplier<ProblemException> otherwise) {
        return calls.known(site, hash)
                .thenApply(known -> answer(
                        new CallOutcome.Noop(known.orElseThrow(otherwise), CallOutcome.Reason.IDEMPOTENT_CONFLICT),
                        hash,
                        verified));
    }

    private static ProblemException refused() {
        return Problem.of(ProblemType.INVALID_SIGNATURE, "The event is not signed as its site must sign it")
                .asException();
    }

    private static Answer answer(CallOutcome recording, @Nullable String hash, boolean verified) {
        if (recording instanceof CallOutcome.Failed failed) {
            return StoreProblems.of(failed.cause()).answer();
        }
        Map<String, Json> body = new LinkedHashMap<>();
        boolean fresh = recording instanceof CallOutcome.Inserted;
        body.put("status", new JsonString(fresh ? "inserted" : "noop"));
        if (recording instanceof CallOutcome.Inserted inserted) {
            body.put("call_id", new JsonString(inserted.callId().toString()));
        } else if (recording instanceof CallOutcome.Noop noop) {
            body.put("call_id", new JsonString(noop.callId().toString()));
            body.put("reason", new JsonString(noop.reason().name().toLowerCase(Locale.ROOT)));
        }
        if (!verified) {
            body.put("unverified", new JsonBoolean(true));
        }
        Answer answer = Answer.json(fresh ? 201 : 200, new JsonObject(body))
                .with("X-Idempotency-Status", fresh ? "MISS" : "HIT");
        if (hash != null) {
            answer = answer.with("X-Idempotency-Key", hash);
        }
        return fresh ? answer : answer.with("Idempotent-Replayed", "true");
    }

    private CompletionStage<Answer> find(Exchange exchange) {
        UUID id = Paging.uuid(exchange.path("id"));
        exchange.charge().takeForRecord();
        return calls.find(production ? exchange.tenant() : null, id)
                .thenApply(found -> Answer.json(200, shown(found.orElseThrow(Paging::nothing))));
    }

    private CompletionStage<Answer> page(Exchange exchange) {
        String site = exchange.name("site_id", CallEvent.MAX_SITE)
                .orElseThrow(() -> Problem.field("site_id", "The parameter site_id is missing")
                        .asException());
        if (production && !site.equals(exchange.tenant())) {
            throw Problem.of(ProblemType.FORBIDDEN, "The token belongs to another site")
                    .asException();
        }
        return Paging.read(exchange, (after, limit, maxBytes) -> calls.page(site, after, limit, maxBytes))
                .thenApply(page -> Paging.answer(
                        "calls",
                        page.items().stream().map(call -> shown(call).utf8()),
                        page.cursor(),
                        page.more(),
                        page.unsettled()));
    }

    private static JsonObject shown(StoredCall call) {
        Map<String, Json> members = new LinkedHashMap<>();
        members.put("id", new JsonString(call.id().toString()));
        members.put("call_id", new JsonString(call.id().toString()));
        members.put("site_id", new JsonString(call.siteId()));
        members.put(
                "signature_hash", call.signatureHash() == null ? JsonNull.NULL : new JsonString(call.signatureHash()));
        if (!call.verified()) {
            members.put("unverified", new JsonBoolean(true));
        }
        members.put("body", call.body());
        members.put("created_at", new JsonString(call.createdAt().toString()));
        return new JsonObject(members);
    }
}

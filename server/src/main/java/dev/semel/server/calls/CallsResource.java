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
import dev.semel.server.calls.CallVerification.Authenticity;
import dev.semel.server.config.ServerMode;
import dev.semel.server.config.Settings;
import dev.semel.server.http.HttpAnswer;
import dev.semel.server.http.JsonBodies;
import dev.semel.server.http.JsonFields;
import dev.semel.server.http.NewKeyRate;
import dev.semel.server.http.Pagination;
import dev.semel.server.http.ProblemDetail;
import dev.semel.server.http.ProblemException;
import dev.semel.server.http.ProblemType;
import dev.semel.server.http.RequestContext;
import dev.semel.server.http.Resource;
import dev.semel.server.http.RouteAccess;
import dev.semel.server.http.Routes;
import dev.semel.server.http.StoreProblems;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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

    /** @param rate the limit on what a site may store */
    public CallsResource(CallEvents calls, NewKeyRate rate, CallVerification verification, Settings settings) {
        this.calls = calls;
        this.rate = rate;
        this.verification = verification;
        this.production = settings.mode() == ServerMode.PRODUCTION;
    }

    @Override
    public void addTo(Routes routes) {
        // The signature authenticates the event.
        routes.postBytes("/api/call-event", RouteAccess.OPEN, this::event);
        routes.get("/api/calls/{id}", RouteAccess.LOOK, this::find);
        routes.get("/api/calls", RouteAccess.LOOK, Set.of("site_id", "after", "limit", "last", "before"), this::page);
    }

    private CompletionStage<HttpAnswer> event(RequestContext context, byte[] body) {
        JsonBodies.requireJson(context.request());
        Json json = JsonBodies.parse(body);
        JsonFields fields = new JsonFields(json, JsonPointer.ROOT);
        String site = fields.requiredText("site_id", CallEvent.MAX_SITE);
        String signature = context.header("x-ops-signature")
                .filter(text -> !text.isEmpty())
                .orElse(null);
        String timestamp = context.header("x-ops-timestamp").orElse(null);
        Authenticity verdict = verification.of(site, signature, timestamp, body);
        if (verdict == Authenticity.REFUSED) {
            throw refused();
        }
        String hash = signature == null ? null : CallSignature.hashOf(signature);
        if (verdict == Authenticity.ONLY_IF_KNOWN && hash != null) {
            return known(site, hash, true, CallsResource::refused);
        }
        CallEvent event;
        try {
            event = new CallEvent(site, (JsonObject) json, hash, verdict == Authenticity.VERIFIED);
        } catch (IllegalArgumentException e) {
            throw ProblemDetail.field("", String.valueOf(e.getMessage())).asException();
        }
        Optional<ProblemDetail> tooMuch = rate.tryTake(site, 0, body.length);
        if (tooMuch.isPresent()) {
            // A duplicate stores nothing, so it is answered even beyond the limit.
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

    private CompletionStage<HttpAnswer> known(
            String site, String hash, boolean verified, Supplier<ProblemException> otherwise) {
        return calls.duplicate(site, hash).thenApply(known -> answer(known.orElseThrow(otherwise), hash, verified));
    }

    private static ProblemException refused() {
        return ProblemDetail.of(ProblemType.INVALID_SIGNATURE, "The event's signature is missing or invalid")
                .asException();
    }

    private static HttpAnswer answer(CallOutcome recording, @Nullable String hash, boolean verified) {
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
        HttpAnswer answer = HttpAnswer.json(fresh ? 201 : 200, new JsonObject(body))
                .with("X-Idempotency-Status", fresh ? "MISS" : "HIT");
        if (hash != null) {
            answer = answer.with("X-Idempotency-Key", hash);
        }
        return fresh ? answer : answer.with("Idempotent-Replayed", "true");
    }

    private CompletionStage<HttpAnswer> find(RequestContext context) {
        UUID id = Pagination.uuid(context.path("id"));
        context.charge().takeForRecord();
        return calls.find(production ? context.tenant() : null, id)
                .thenApply(found -> HttpAnswer.json(200, shown(found.orElseThrow(Pagination::notFound))));
    }

    private CompletionStage<HttpAnswer> page(RequestContext context) {
        String site = context.name("site_id", CallEvent.MAX_SITE)
                .orElseThrow(() -> ProblemDetail.field("site_id", "The parameter site_id is required")
                        .asException());
        if (production && !site.equals(context.tenant())) {
            throw ProblemDetail.of(ProblemType.FORBIDDEN, "The token belongs to another site")
                    .asException();
        }
        return Pagination.answer(
                context,
                "calls",
                (until, items) -> calls.back(site, until, items),
                (after, limit, maxBytes) -> calls.page(site, after, limit, maxBytes),
                call -> shown(call).utf8());
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

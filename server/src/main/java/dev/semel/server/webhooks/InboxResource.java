// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.webhooks;

import dev.semel.claim.ClaimRef;
import dev.semel.journal.inbox.Acknowledgement;
import dev.semel.journal.inbox.Inbox;
import dev.semel.journal.inbox.InboxContent;
import dev.semel.journal.inbox.InboxEntry;
import dev.semel.journal.inbox.InboxEvent;
import dev.semel.journal.inbox.InboxQuery;
import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonPointer;
import dev.semel.payload.json.JsonString;
import dev.semel.server.http.HttpAnswer;
import dev.semel.server.http.JsonBodies;
import dev.semel.server.http.JsonFields;
import dev.semel.server.http.Pagination;
import dev.semel.server.http.ProblemDetail;
import dev.semel.server.http.ProblemType;
import dev.semel.server.http.RequestContext;
import dev.semel.server.http.Resource;
import dev.semel.server.http.RouteAccess;
import dev.semel.server.http.Routes;
import dev.semel.server.http.StoreProblems;
import dev.semel.spi.HistoryEntry;
import dev.semel.spi.HistoryStore;
import dev.semel.webhooks.EventReplay;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/**
 * {@code GET /v1/inbox}: received webhook events. Consumers read them in order, or take them for a limited time, and acknowledge
 * them; operators can replay them.
 */
public final class InboxResource implements Resource {
    private static final int LONGEST_REASON = 100;
    private static final Set<String> LIST = Set.of("provider", "unacknowledged", "after", "limit", "last", "before");

    private final Inbox inbox;
    private final WebhookGates gates;
    private final HistoryStore history;
    private final Executor blocking;
    private final InboxConsumers takes;

    /**
     * @param history the audit trail, which has replays too
     * @param blocking runs writes to it
     */
    public InboxResource(Inbox inbox, WebhookGates gates, HistoryStore history, Executor blocking) {
        this.history = history;
        this.blocking = blocking;
        this.inbox = inbox;
        this.gates = gates;
        this.takes = new InboxConsumers(inbox, this::shown);
    }

    @Override
    public void addTo(Routes routes) {
        routes.get("/v1/inbox", RouteAccess.LOOK, LIST, this::page);
        routes.get("/v1/inbox/{id}", RouteAccess.LOOK, this::find);
        routes.post("/v1/inbox/take", RouteAccess.USE, takes::take);
        routes.postBytes("/v1/inbox/{id}/ack", RouteAccess.USE, this::acknowledge);
        routes.post("/v1/inbox/{id}/give-back", RouteAccess.USE, takes::giveBack);
        routes.post("/v1/inbox/{id}/replay", RouteAccess.OPERATE, this::replay);
    }

    private CompletionStage<HttpAnswer> page(RequestContext context) {
        InboxQuery query = query(context);
        return Pagination.answer(
                context,
                "events",
                (until, items) -> inbox.back(query, until, items),
                (after, limit, maxBytes) -> inbox.page(query, after, limit, maxBytes),
                event -> shown(event).utf8());
    }

    private JsonObject shown(InboxEvent event) {
        return InboxEvents.json(event, gates.signatures(event.provider()));
    }

    private static InboxQuery query(RequestContext context) {
        InboxQuery query = InboxQuery.of(context.tenant());
        Optional<String> provider = context.query("provider").filter(text -> !text.isEmpty());
        if (provider.isPresent()) {
            try {
                query = query.from(provider.get());
            } catch (IllegalArgumentException e) {
                throw ProblemDetail.field(
                                "provider",
                                "The parameter provider must have 1 to %d characters and no control characters"
                                        .formatted(InboxEntry.MAX_PROVIDER))
                        .asException();
            }
        }
        return context.query("unacknowledged").map(InboxResource::flag).orElse(false)
                ? query.onlyUnacknowledged()
                : query;
    }

    private static boolean flag(String text) {
        if (!text.equals("true") && !text.equals("false")) {
            throw ProblemDetail.field("unacknowledged", "The parameter unacknowledged must be true or false")
                    .asException();
        }
        return text.equals("true");
    }

    private CompletionStage<HttpAnswer> find(RequestContext context) {
        context.charge().takeForRecord();
        return inbox.find(context.tenant(), Pagination.uuid(context.path("id")))
                .thenApply(found -> HttpAnswer.json(200, shown(found.orElseThrow(Pagination::notFound))));
    }

    /** Acknowledges an event. The body is optional; it may contain the token of a take. */
    private CompletionStage<HttpAnswer> acknowledge(RequestContext context, byte[] body) {
        Optional<UUID> token = Optional.empty();
        if (body.length > 0) {
            JsonFields fields = new JsonFields(JsonBodies.parse(body), JsonPointer.ROOT);
            token = InboxConsumers.token(fields);
            fields.done();
        }
        UUID id = Pagination.uuid(context.path("id"));
        String actor = context.identity().actor();
        return token.map(taken -> inbox.ack(context.tenant(), id, taken, actor))
                .orElseGet(() -> inbox.ack(context.tenant(), id, actor))
                .thenApply(acknowledgement -> acknowledged(id, acknowledgement));
    }

    private static HttpAnswer acknowledged(UUID id, Acknowledgement acknowledgement) {
        if (acknowledgement instanceof Acknowledgement.Failed failed) {
            return StoreProblems.of(failed.cause()).answer();
        }
        if (acknowledgement instanceof Acknowledgement.Unknown) {
            throw Pagination.notFound();
        }
        if (acknowledgement instanceof Acknowledgement.Lost) {
            throw InboxConsumers.lost();
        }
        Map<String, Json> members = new LinkedHashMap<>();
        members.put("id", new JsonString(id.toString()));
        if (acknowledgement instanceof Acknowledgement.Before before) {
            members.put("status", new JsonString("already_acknowledged"));
            members.put("acked_at", new JsonString(before.at().toString()));
            Optional.ofNullable(before.by()).ifPresent(by -> members.put("acked_by", new JsonString(by)));
        } else {
            members.put("status", new JsonString("acknowledged"));
        }
        return HttpAnswer.json(200, new JsonObject(members));
    }

    private CompletionStage<HttpAnswer> replay(RequestContext context, Json body) {
        JsonFields fields = new JsonFields(body, JsonPointer.ROOT);
        String reason = fields.requiredText("reason", LONGEST_REASON);
        fields.done();
        EventReplay order;
        try {
            order = new EventReplay(shown(context.identity().actor()), reason);
        } catch (IllegalArgumentException e) {
            throw fields.wrong("reason", "must have 1 to %d visible ASCII characters".formatted(LONGEST_REASON));
        }
        context.charge().takeForRecord();
        return inbox.find(context.tenant(), Pagination.uuid(context.path("id")))
                .thenCompose(found -> replayed(found.orElseThrow(Pagination::notFound), order));
    }

    private CompletionStage<HttpAnswer> replayed(InboxEvent event, EventReplay order) {
        if (!(event.content() instanceof InboxContent.Opened opened)) {
            throw ProblemDetail.of(
                            ProblemType.EVENT_SEALED, "The secret that encrypted the event is not active any more")
                    .asException();
        }
        WebhookGates.Opened gate = gates.find(event.provider())
                .orElseThrow(
                        () -> ProblemDetail.of(ProblemType.NOT_FOUND, "The event's provider is not configured any more")
                                .asException());
        // Written first, so that no event is processed again without an entry.
        return CompletableFuture.runAsync(() -> history.add(List.of(entry(event, order))), blocking)
                .thenCompose(written -> gate.gate()
                        .replay(InboxEvents.delivery(event, opened), event.verified() ? order.ofVerified() : order))
                .thenApply(WebhookAnswers::of);
    }

    private static HistoryEntry entry(InboxEvent event, EventReplay order) {
        return HistoryEntry.replay(
                new ClaimRef(event.tenant(), event.claim()),
                event.scope(),
                order.actor(),
                order.reason(),
                "inbox event " + event.id());
    }

    /** Truncates the actor's name to the length that the replay record allows. */
    private static String shown(String actor) {
        String plain = actor.replaceAll("[\\p{Cc}\\p{Cs}]|[^\\x20-\\uffff]", "?");
        return plain.length() > LONGEST_REASON ? plain.substring(0, LONGEST_REASON) : plain;
    }
}

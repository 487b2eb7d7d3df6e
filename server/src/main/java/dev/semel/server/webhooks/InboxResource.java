// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.webhooks;

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
import dev.semel.server.http.Access;
import dev.semel.server.http.Answer;
import dev.semel.server.http.Exchange;
import dev.semel.server.http.Fields;
import dev.semel.server.http.JsonBodies;
import dev.semel.server.http.Paging;
import dev.semel.server.http.Problem;
import dev.semel.server.http.ProblemType;
import dev.semel.server.http.Resource;
import dev.semel.server.http.Routes;
import dev.semel.server.http.StoreProblems;
import dev.semel.webhooks.EventReplay;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;

/** {@code GET /v1/inbox}: what webhooks have brought, to be read in order, acknowledged, and by operators replayed. */
public final class InboxResource implements Resource {
    private static final int LONGEST_REASON = 100;

    private final Inbox inbox;
    private final WebhookGates gates;

    public InboxResource(Inbox inbox, WebhookGates gates) {
        this.inbox = inbox;
        this.gates = gates;
    }

    @Override
    public void addTo(Routes routes) {
        routes.get("/v1/inbox", Access.LOOK, this::page);
        routes.get("/v1/inbox/{id}", Access.LOOK, this::find);
        routes.postBytes("/v1/inbox/{id}/ack", Access.USE, this::acknowledge);
        routes.post("/v1/inbox/{id}/replay", Access.OPERATE, this::replay);
    }

    private CompletionStage<Answer> page(Exchange exchange) {
        InboxQuery query = query(exchange);
        return Paging.read(exchange, (after, limit, maxBytes) -> inbox.page(query, after, limit, maxBytes))
                .thenApply(page -> Paging.answer(
                        "events",
                        page.items().stream().map(event -> shown(event).utf8()),
                        page.cursor(),
                        page.more(),
                        page.unsettled()));
    }

    private JsonObject shown(InboxEvent event) {
        return InboxEvents.json(event, gates.signatures(event.provider()));
    }

    private static InboxQuery query(Exchange exchange) {
        InboxQuery query = InboxQuery.of(exchange.tenant());
        Optional<String> provider = exchange.query("provider").filter(text -> !text.isEmpty());
        if (provider.isPresent()) {
            try {
                query = query.from(provider.get());
            } catch (IllegalArgumentException e) {
                throw Problem.field(
                                "provider",
                                "The parameter provider must have 1 to %d characters and no control characters"
                                        .formatted(InboxEntry.MAX_PROVIDER))
                        .asException();
            }
        }
        return exchange.query("unacknowledged").map(InboxResource::flag).orElse(false)
                ? query.onlyUnacknowledged()
                : query;
    }

    private static boolean flag(String text) {
        if (!text.equals("true") && !text.equals("false")) {
            throw Problem.field("unacknowledged", "The parameter unacknowledged must be true or false")
                    .asException();
        }
        return text.equals("true");
    }

    private CompletionStage<Answer> find(Exchange exchange) {
        exchange.charge().takeForRecord();
        return inbox.find(exchange.tenant(), Paging.uuid(exchange.path("id")))
                .thenApply(found -> Answer.json(200, shown(found.orElseThrow(Paging::nothing))));
    }

    /** Needs no body, and takes none that says anything. */
    private CompletionStage<Answer> acknowledge(Exchange exchange, byte[] body) {
        if (body.length > 0) {
            new Fields(JsonBodies.parse(body), JsonPointer.ROOT).done();
        }
        UUID id = Paging.uuid(exchange.path("id"));
        return inbox.ack(exchange.tenant(), id, exchange.identity().actor())
                .thenApply(acknowledgement -> acknowledged(id, acknowledgement));
    }

    private static Answer acknowledged(UUID id, Acknowledgement acknowledgement) {
        if (acknowledgement instanceof Acknowledgement.Failed failed) {
            return StoreProblems.of(failed.cause()).answer();
        }
        if (acknowledgement instanceof Acknowledgement.Unknown) {
            throw Paging.nothing();
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
        return Answer.json(200, new JsonObject(members));
    }

    private CompletionStage<Answer> replay(Exchange exchange, Json body) {
        Fields fields = new Fields(body, JsonPointer.ROOT);
        String reason = fields.requiredText("reason", LONGEST_REASON);
        fields.done();
        EventReplay order;
        try {
            order = new EventReplay(shown(exchange.identity().actor()), reason);
        } catch (IllegalArgumentException e) {
            throw fields.wrong("reason", "must have 1 to %d plain characters".formatted(LONGEST_REASON));
        }
        exchange.charge().takeForRecord();
        return inbox.find(exchange.tenant(), Paging.uuid(exchange.path("id")))
                .thenCompose(found -> replayed(found.orElseThrow(Paging::nothing), order));
    }

    private CompletionStage<Answer> replayed(InboxEvent event, EventReplay order) {
        if (!(event.content() instanceof InboxContent.Opened opened)) {
            throw Problem.of(ProblemType.EVENT_SEALED, "The event was sealed by a secret that is not alive any more")
                    .asException();
        }
        WebhookGates.Opened gate = gates.find(event.provider())
                .orElseThrow(() -> Problem.of(ProblemType.NOT_FOUND, "The event's provider is not configured any more")
                        .asException());
        return gate.gate()
                .replay(InboxEvents.delivery(event, opened), event.verified() ? order.ofVerified() : order)
                .thenApply(WebhookAnswers::of);
    }

    /** As much of an actor's name as the record of a replay holds. */
    private static String shown(String actor) {
        String plain = actor.replaceAll("[\\p{Cc}\\p{Cs}]|[^\\x20-\\uffff]", "?");
        return plain.length() > LONGEST_REASON ? plain.substring(0, LONGEST_REASON) : plain;
    }
}

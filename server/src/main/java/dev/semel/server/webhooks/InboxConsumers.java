// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.webhooks;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.semel.journal.inbox.Inbox;
import dev.semel.journal.inbox.InboxEntry;
import dev.semel.journal.inbox.InboxEvent;
import dev.semel.journal.inbox.InboxReturn;
import dev.semel.journal.inbox.InboxTake;
import dev.semel.journal.inbox.InboxTakeOrder;
import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonPointer;
import dev.semel.payload.json.JsonString;
import dev.semel.server.http.HttpAnswer;
import dev.semel.server.http.JsonFields;
import dev.semel.server.http.Pagination;
import dev.semel.server.http.ProblemDetail;
import dev.semel.server.http.ProblemException;
import dev.semel.server.http.ProblemType;
import dev.semel.server.http.RequestContext;
import dev.semel.server.http.StoreProblems;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * {@code POST /v1/inbox/take}: several consumers share the events of an inbox. A consumer takes events for a limited time, and
 * acknowledges them or gives them back.
 */
final class InboxConsumers {
    private static final int DEFAULT_MAX = 10;
    private static final long DEFAULT_LEASE_SECONDS = 60;
    private static final long LONGEST_WAIT_MILLIS = 30_000;

    /** As for pages. */
    private static final int LARGEST_ANSWER = 4 << 20;

    private static final int TOKEN_LENGTH = 36;

    private final Inbox inbox;
    private final Function<InboxEvent, JsonObject> shown;

    /** @param shown an event as consumers see it */
    InboxConsumers(Inbox inbox, Function<InboxEvent, JsonObject> shown) {
        this.inbox = inbox;
        this.shown = shown;
    }

    CompletionStage<HttpAnswer> take(RequestContext context, Json body) {
        JsonFields fields = new JsonFields(body, JsonPointer.ROOT);
        int max = fields.whole("max", 1, InboxTakeOrder.MAX_EVENTS)
                .orElse((long) DEFAULT_MAX)
                .intValue();
        long lease = fields.whole("lease_seconds", 1, InboxTakeOrder.MAX_LEASE.toSeconds())
                .orElse(DEFAULT_LEASE_SECONDS);
        long wait = fields.whole("wait_ms", 0, LONGEST_WAIT_MILLIS).orElse(0L);
        String provider = fields.text("provider", InboxEntry.MAX_PROVIDER).orElse(null);
        fields.done();
        Taking taking = new Taking(
                context,
                provider,
                max,
                Duration.ofSeconds(lease),
                System.nanoTime() + Duration.ofMillis(wait).toNanos());
        return taking.next();
    }

    /** One request. It reserves memory for its answer only when there is an event. */
    private final class Taking {
        private final RequestContext context;
        private final @Nullable String provider;
        private final int max;
        private final Duration lease;
        private final long end;
        private int maxBytes;

        Taking(RequestContext context, @Nullable String provider, int max, Duration lease, long end) {
            this.context = context;
            this.provider = provider;
            this.max = max;
            this.lease = lease;
            this.end = end;
        }

        CompletionStage<HttpAnswer> next() {
            long left = Math.max(0, end - System.nanoTime());
            return inbox.awaitUntaken(context.tenant(), provider, Duration.ofNanos(left))
                    .thenCompose(found -> found && !isGone() ? taken() : CompletableFuture.completedFuture(nothing()));
        }

        private CompletionStage<HttpAnswer> taken() {
            if (maxBytes == 0) {
                maxBytes = context.charge().takeForAnswer(LARGEST_ANSWER);
            }
            InboxTakeOrder order = new InboxTakeOrder(
                    context.tenant(), provider, context.identity().actor(), max, lease, maxBytes);
            return inbox.take(order).thenCompose(this::delivered);
        }

        private CompletionStage<HttpAnswer> delivered(InboxTake take) {
            if (take.events().isEmpty() && System.nanoTime() - end < 0) {
                // Another consumer was faster.
                return next();
            }
            List<UUID> ids = take.events().stream().map(InboxEvent::id).toList();
            return CompletableFuture.completedFuture(answer(take).ifUndelivered(() -> giveBack(ids, take.token())));
        }

        /** Whether the client has closed the connection. Nobody would work on the events until the lease ends. */
        private boolean isGone() {
            return context.request().response().closed();
        }

        /** If this fails, the events stay taken until their lease ends. */
        private void giveBack(List<UUID> ids, UUID token) {
            ids.forEach(id -> inbox.giveBack(context.tenant(), id, token, Duration.ZERO));
        }

        private HttpAnswer nothing() {
            return answer(new InboxTake(UUID.randomUUID(), List.of()));
        }

        private HttpAnswer answer(InboxTake take) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            out.writeBytes("{\"token\":\"%s\",\"lease_seconds\":%d,\"events\":["
                    .formatted(take.token(), lease.toSeconds())
                    .getBytes(UTF_8));
            int start = out.size();
            take.events().forEach(event -> {
                if (out.size() > start) {
                    out.write(',');
                }
                out.writeBytes(shown.apply(event).utf8());
            });
            out.writeBytes("]}".getBytes(UTF_8));
            return HttpAnswer.json(200, out.toByteArray());
        }
    }

    CompletionStage<HttpAnswer> giveBack(RequestContext context, Json body) {
        JsonFields fields = new JsonFields(body, JsonPointer.ROOT);
        UUID token = token(fields).orElseThrow(() -> fields.missing("token"));
        long delay = fields.whole("delay_seconds", 0, InboxTakeOrder.MAX_LEASE.toSeconds())
                .orElse(0L);
        fields.done();
        UUID id = Pagination.uuid(context.path("id"));
        return inbox.giveBack(context.tenant(), id, token, Duration.ofSeconds(delay))
                .thenApply(outcome -> returned(id, outcome));
    }

    private static HttpAnswer returned(UUID id, InboxReturn outcome) {
        if (outcome instanceof InboxReturn.Failed failed) {
            return StoreProblems.of(failed.cause()).answer();
        }
        if (outcome instanceof InboxReturn.Unknown) {
            throw Pagination.notFound();
        }
        if (outcome instanceof InboxReturn.Lost) {
            throw lost();
        }
        String status = outcome instanceof InboxReturn.Returned ? "given_back" : "already_acknowledged";
        return HttpAnswer.json(
                200, new JsonObject(Map.of("id", new JsonString(id.toString()), "status", new JsonString(status))));
    }

    /** The token of a take, if the request has one. */
    static Optional<UUID> token(JsonFields fields) {
        return fields.text("token", TOKEN_LENGTH).map(text -> {
            if (!text.matches("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")) {
                throw fields.wrong("token", "must be a token that /v1/inbox/take returned");
            }
            return UUID.fromString(text);
        });
    }

    static ProblemException lost() {
        return ProblemDetail.of(ProblemType.EVENT_LOST, "This token does not hold the event any more")
                .asException();
    }
}

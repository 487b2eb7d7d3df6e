// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.trigger;

import dev.semel.internal.SendersClock;
import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonException;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import dev.semel.webhooks.http.BoundedBody;
import dev.semel.webhooks.http.Exchanges;
import dev.semel.webhooks.provider.WebhookRequest;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Delivers events, each several times, and counts the answers. The deliveries of an event follow each other, so that they race. */
public final class Trigger {
    private static final Duration CONNECT = Duration.ofSeconds(5);
    private static final int MAX_ANSWER = 64 * 1_024;

    private final TriggerPlan plan;
    private final SampleEvents events;
    private final TriggerReport report;
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT)
            .build();
    private final AtomicInteger next = new AtomicInteger();
    private volatile boolean answered;
    private volatile Optional<TriggerTarget> unreachable = Optional.empty();

    private Trigger(TriggerPlan plan) {
        this.plan = plan;
        this.events = new SampleEvents(plan.type(), plan.options(), plan.run(), SendersClock.now());
        this.report = new TriggerReport(plan.targets(), plan.events(), plan.copies(), events::id);
    }

    /**
     * Sends all deliveries and returns the report.
     *
     * @throws IllegalArgumentException if the private key or a header cannot be used; then nothing is sent
     * @throws UnreachableException if a connection cannot be opened and nothing has answered yet; then it stops at once
     */
    public static TriggerReport run(TriggerPlan plan) throws InterruptedException, UnreachableException {
        return new Trigger(plan).run();
    }

    private TriggerReport run() throws InterruptedException, UnreachableException {
        // Fails here, on the caller's thread, if deliveries cannot be signed or sent.
        request(0, plan.targets().get(0));
        ExecutorService senders = Executors.newFixedThreadPool(plan.concurrency(), work -> {
            Thread thread = new Thread(work, "semel-trigger");
            thread.setDaemon(true);
            return thread;
        });
        for (int i = 0; i < plan.concurrency(); i++) {
            senders.execute(this::sendAll);
        }
        senders.shutdown();
        try {
            // The number of deliveries and the time of each are bounded.
            senders.awaitTermination(Long.MAX_VALUE, TimeUnit.NANOSECONDS);
        } finally {
            senders.shutdownNow();
        }
        if (unreachable.isPresent()) {
            throw new UnreachableException(unreachable.get());
        }
        return report;
    }

    private void sendAll() {
        int delivery = next.getAndIncrement();
        while (delivery < plan.deliveries()
                && unreachable.isEmpty()
                && !Thread.currentThread().isInterrupted()) {
            TriggerTarget target = plan.targets().get(delivery % plan.targets().size());
            long start = System.nanoTime();
            DeliveryResult result = send(delivery / plan.copies(), target);
            report.add(delivery, result, System.nanoTime() - start);
            delivery = next.getAndIncrement();
        }
    }

    private HttpRequest request(int event, TriggerTarget target) {
        WebhookRequest signed =
                plan.signer().sign(events.delivery(event, target.url().toString()), SendersClock.now());
        HttpRequest.Builder request =
                HttpRequest.newBuilder(target.url()).POST(HttpRequest.BodyPublishers.ofByteArray(signed.body()));
        signed.headers().all().forEach((name, values) -> values.forEach(value -> request.header(name, value)));
        return request.build();
    }

    private DeliveryResult send(int event, TriggerTarget target) {
        try {
            HttpResponse<byte[]> answer = Exchanges.send(
                            client, request(event, target), BoundedBody.of(MAX_ANSWER), plan.timeout())
                    .get();
            answered = true;
            return result(answer);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            if (!answered && (cause instanceof ConnectException || cause instanceof HttpConnectTimeoutException)) {
                unreachable = Optional.of(target);
            }
            return new DeliveryResult(
                    DeliveryResult.Kind.FAILED, cause.getClass().getSimpleName());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new DeliveryResult(DeliveryResult.Kind.FAILED, "interrupted");
        }
    }

    private static DeliveryResult result(HttpResponse<byte[]> answer) {
        Optional<JsonObject> body = parsed(answer.body());
        String status = body.flatMap(members -> text(members, "status")).orElse("");
        String detail = body.flatMap(members -> text(members, "detail")).orElse("no details");
        String said = "%d: %s".formatted(answer.statusCode(), detail);
        return switch (answer.statusCode() / 100) {
            case 2 ->
                switch (status) {
                    case "processed" -> new DeliveryResult(DeliveryResult.Kind.PROCESSED, "");
                    case "already_processed" -> new DeliveryResult(DeliveryResult.Kind.ALREADY_PROCESSED, "");
                    default ->
                        new DeliveryResult(
                                DeliveryResult.Kind.UNRECOGNIZED,
                                "%d: the answer is not one of Semel's: check --url".formatted(answer.statusCode()));
                };
            case 4 -> new DeliveryResult(DeliveryResult.Kind.REFUSED, said);
            case 5 -> new DeliveryResult(DeliveryResult.Kind.FAILED, said);
            default -> new DeliveryResult(DeliveryResult.Kind.UNRECOGNIZED, said);
        };
    }

    private static Optional<JsonObject> parsed(byte[] body) {
        try {
            return Json.parse(body) instanceof JsonObject object ? Optional.of(object) : Optional.empty();
        } catch (JsonException e) {
            return Optional.empty();
        }
    }

    private static Optional<String> text(JsonObject members, String name) {
        return members.member(name).map(value -> value instanceof JsonString text ? text.value() : "");
    }
}

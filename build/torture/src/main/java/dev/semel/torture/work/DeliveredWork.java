// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.work;

import dev.semel.claim.ClaimKey;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import dev.semel.torture.history.Answer;
import dev.semel.webhooks.EventHandler;
import dev.semel.webhooks.EventStatus;
import dev.semel.webhooks.WebhookAnswer;
import dev.semel.webhooks.WebhookEvent;
import dev.semel.webhooks.WebhookGate;
import dev.semel.webhooks.provider.DeliveryHeaders;
import dev.semel.webhooks.provider.ProviderConfig;
import dev.semel.webhooks.provider.Providers;
import dev.semel.webhooks.provider.WebhookRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;

/** Deliveries of one to eight events, which overlap those of other processes. */
final class DeliveredWork implements Workload {
    static final String KIND = "webhook";

    private static final Duration LEASE = Duration.ofMillis(600);
    private static final String HANDLED = "handled";

    private final Instance instance;
    private final Recorder recorder;
    private final Items items;
    private final WebhookGate gate;

    DeliveredWork(Instance instance, Recorder recorder, Items items, ExecutorService threads, int clockHours) {
        this.instance = instance;
        this.recorder = recorder;
        this.items = items;
        this.gate = WebhookGate.on(instance.semel)
                .lease(LEASE)
                .ttl(Duration.ofDays(1))
                .acceptingUnverified()
                .clock(() -> Instant.now().plus(Duration.ofHours(clockHours)))
                .build(
                        "torture",
                        Providers.of("cloudevents", ProviderConfig.none()),
                        EventHandler.blocking(threads, this::handle));
    }

    @Override
    public void step(SplittableRandom random) throws Exception {
        Map<String, Item> events = new LinkedHashMap<>();
        int count = 1 + random.nextInt(8);
        for (int i = 0; i < count; i++) {
            Item item =
                    item(items.choose(KIND, Duration.ofMillis(20), 24, random).name());
            events.put(item.name(), item);
        }
        deliver(List.copyOf(events.values()));
    }

    @Override
    public boolean settles(String name, SplittableRandom random) throws Exception {
        return Outcomes.isSettled(deliver(List.of(item(name))).get(0));
    }

    private Item item(String name) {
        Item item = items.named(KIND, name).forEver();
        return new Item(name, LEASE, item.ttl(), item.onStale(), 0, 0, item.maxWait());
    }

    private List<Answer> deliver(List<Item> events) throws Exception {
        List<Long> calls = new ArrayList<>();
        for (Item item : events) {
            instance.register(new ClaimKey(Item.TENANT, "webhook:torture", "ev_src:" + item.name()), item);
            calls.add(recorder.asked(item, Bounds.webhook()));
        }
        String body =
                events.stream().map(item -> """
                        {"specversion":"1.0","source":"src","type":"t","id":"%s","data":{"n":1}}""".formatted(item.name())).collect(Collectors.joining(",", "[", "]"));
        WebhookAnswer answer = gate.receive(new WebhookRequest(
                        "POST",
                        "https://semel.example/hook",
                        DeliveryHeaders.single(Map.of("Content-Type", "application/cloudevents-batch+json")),
                        body.getBytes(StandardCharsets.UTF_8),
                        Item.TENANT))
                .toCompletableFuture()
                .get();
        List<Answer> answers = new ArrayList<>();
        for (int i = 0; i < events.size(); i++) {
            Answer told =
                    i < answer.events().size() ? told(answer.events().get(i).status()) : Answer.UNAVAILABLE;
            recorder.told(events.get(i), calls.get(i), told, 0, told == Answer.SUCCEEDED ? HANDLED : "");
            answers.add(told);
        }
        return answers;
    }

    private static Answer told(EventStatus status) {
        return switch (status) {
            case PROCESSED, ALREADY_PROCESSED, PAYMENT_DUPLICATE -> Answer.SUCCEEDED;
            case FAILED -> Answer.RETRYABLE;
            case IN_PROGRESS -> Answer.IN_PROGRESS;
            case UNAVAILABLE -> Answer.UNAVAILABLE;
            case INVALID -> Answer.MISMATCH;
        };
    }

    private void handle(WebhookEvent event) throws Exception {
        String name = ((JsonString) ((JsonObject) event.json()).member("id").orElseThrow()).value();
        Item item = item(name);
        long run = recorder.nextRun();
        recorder.began(item, run, instance.store.held(name));
        ThreadLocalRandom random = ThreadLocalRandom.current();
        int dice = random.nextInt(100);
        if (dice < 30) {
            Thread.sleep(random.nextInt(1, 250));
        } else if (dice < 36) {
            // Longer than the lease: the later events of the delivery need their renewals.
            Thread.sleep(random.nextLong(2 * LEASE.toMillis(), 3 * LEASE.toMillis()));
        }
        if (dice >= 95) {
            recorder.ended(item, run, 0, "");
            throw new PassingFailure();
        }
        recorder.ended(item, run, 0, HANDLED);
    }
}

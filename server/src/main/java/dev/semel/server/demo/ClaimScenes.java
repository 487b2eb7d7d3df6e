// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.demo;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** Workers that claim, crash, retry and disagree. */
final class ClaimScenes {
    /** The orders that the tour names are below the others. */
    private static final String KILLED_ORDER = "order-1040";

    private static final String CHANGED_ORDER = "order-1041";
    private static final int FIRST_PARKED_ORDER = 1_042;
    private static final int FIRST_ORDER = 2_001;
    private static final int SAME_TIME = 6;
    private static final int MAX_PARKED = 12;

    /** Reasons of workers that do not know what happened. */
    private static final List<String> DOUBTS = List.of(
            "The bank did not answer within 30 s. Check the statement before you decide",
            "Connection reset after the payout was sent",
            "The bank answered HTTP 504",
            "The worker was stopped while the bank processed the payout");

    private final DemoClient client;
    private final ScenePlayer traffic;
    private final AtomicInteger orders = new AtomicInteger(FIRST_ORDER);
    private final AtomicInteger parked = new AtomicInteger();
    private final List<String> payouts = new CopyOnWriteArrayList<>();

    ClaimScenes(DemoClient client, ScenePlayer traffic) {
        this.client = client;
        this.traffic = traffic;
    }

    void start() {
        traffic.repeat(Duration.ofMillis(350), this::retriedCharge);
        traffic.repeat(Duration.ofMillis(1_500), this::simultaneousClicks);
        traffic.later(Duration.ZERO, () -> changedRequest(CHANGED_ORDER));
        traffic.repeat(Duration.ofSeconds(4), () -> changedRequest(order()));
        traffic.repeat(Duration.ofSeconds(3), this::failingEmail);
        traffic.later(Duration.ZERO, () -> killedWorker(KILLED_ORDER));
        traffic.repeat(Duration.ofSeconds(8), () -> killedWorker(order()));
        traffic.repeat(Duration.ofSeconds(1), this::workflowStep);
        traffic.repeat(Duration.ofMillis(2_500), this::paymentConfirmation);
        traffic.repeat(Duration.ofSeconds(1), this::shortLived);
        traffic.repeat(Duration.ofSeconds(20), this::cleanup);
        for (int i = 0; i < DOUBTS.size(); i++) {
            traffic.later(Duration.ZERO, this::park);
        }
        traffic.repeat(Duration.ofSeconds(25), () -> {
            if (parked.get() < MAX_PARKED) {
                park();
            }
        });
        traffic.repeat(Duration.ofSeconds(3), this::retriedPayouts);
    }

    private String order() {
        return "order-" + orders.getAndIncrement();
    }

    private static String claim(String scope, String key, String more) {
        return "{\"scope\":\"%s\",\"key\":\"%s\"%s}".formatted(scope, key, more);
    }

    /** A client times out and sends the same charge again. */
    private void retriedCharge() throws InterruptedException {
        String order = order();
        String claim = claim("charge", order, ",\"fingerprint\":\"%s 20.00 EUR\"".formatted(order));
        String result = "{\"charge\":\"ch_%s\",\"amount\":\"20.00\",\"card\":\"4242424242424242\"}".formatted(order);
        client.once(claim, result);
        for (int i = ThreadLocalRandom.current().nextInt(3); i > 0; i--) {
            traffic.later(Duration.ofMillis(300L * i), () -> client.once(claim, result));
        }
    }

    /** A user clicks several times. All callers receive the one answer. */
    private void simultaneousClicks() {
        String claim = claim("checkout", order(), ",\"wait_ms\":5000");
        for (int i = 0; i < SAME_TIME; i++) {
            traffic.later(Duration.ZERO, () -> client.once(claim, "{\"confirmed\":true}"));
        }
    }

    /** The same key with another amount: a conflict, and nothing runs. */
    private void changedRequest(String order) throws InterruptedException {
        client.once(claim("charge", order, ",\"fingerprint\":\"20.00 EUR\""), "{\"amount\":\"20.00\"}");
        client.once(claim("charge", order, ",\"fingerprint\":\"200.00 EUR\""), "{\"amount\":\"200.00\"}");
    }

    /** Fails retryably, then succeeds. */
    private void failingEmail() throws InterruptedException {
        String claim = claim("email", order(), "");
        client.settle(client.post("/v1/claims", claim), "fail", "\"retryable\":true");
        traffic.later(Duration.ofSeconds(1), () -> client.once(claim, "{\"sent\":true}"));
    }

    /** A worker dies with its claim. Another takes over when the lease has ended. */
    private void killedWorker(String order) throws InterruptedException {
        String claim = claim("invoice", order, ",\"lease_seconds\":2");
        client.post("/v1/claims", claim);
        traffic.later(Duration.ofMillis(2_500), () -> client.once(claim, "{\"invoice\":\"printed\"}"));
    }

    /** A workflow that is started again repeats its step. */
    private void workflowStep() throws InterruptedException {
        String step = "{\"workflow_run_id\":\"run-%s\",\"step_key\":\"reserve\",\"input\":{\"sku\":\"A-17\"}}"
                .formatted(order());
        client.once("/v1/steps", step, "{\"reserved\":2}");
        client.post("/v1/steps", step);
    }

    private void paymentConfirmation() throws InterruptedException {
        String payment = "{\"provider\":\"momo\",\"provider_tx_id\":\"tx-%s\"}".formatted(order());
        client.once("/v1/payments/confirmations", payment, "{\"booked\":true}");
        client.post("/v1/payments/confirmations", payment);
    }

    /** Expires within seconds, so that the cleanup has something to delete. */
    private void shortLived() throws InterruptedException {
        client.once(claim("session", order(), ",\"ttl_seconds\":5"), "{}");
    }

    private void cleanup() throws InterruptedException {
        client.post("/v1/cleanup", "{}");
    }

    /** A worker does not know whether its effect happened. A person decides. */
    private void park() throws InterruptedException {
        int number = parked.getAndIncrement();
        String claim = claim("payout", "order-" + (FIRST_PARKED_ORDER + number), "");
        client.settle(
                client.post("/v1/claims", claim),
                "park",
                "\"reason\":\"%s\"".formatted(DOUBTS.get(number % DOUBTS.size())));
        payouts.add(claim);
    }

    /** Callers ask again. A payout that was released runs now; for the others nothing runs. */
    private void retriedPayouts() throws InterruptedException {
        for (String claim : payouts) {
            client.once(claim, "{\"paid\":true}");
        }
    }
}

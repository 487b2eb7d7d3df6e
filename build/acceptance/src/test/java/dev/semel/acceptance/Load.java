// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Clients that write events, send calls and settle claims without a pause, and record what was acknowledged. If servers may be
 * killed, they send the same request again until it is answered, as every client must.
 */
final class Load implements AutoCloseable {
    private static final Duration MAX_WAIT = Duration.ofMinutes(3);
    private static final int THREADS_OF_A_KIND = 2;

    private final List<RunningServer> instances;
    private final boolean serversDie;
    private final Balancer balancer;
    private final Caller caller;
    private final Configuration.Site site;
    private final ExecutorService threads = Executors.newFixedThreadPool(3 * THREADS_OF_A_KIND);
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final AtomicInteger acknowledged = new AtomicInteger();
    private final AtomicInteger turns = new AtomicInteger();
    private volatile boolean stopped;

    private final Map<String, String> events = new ConcurrentHashMap<>();
    private final Map<Ask, String> calls = new ConcurrentHashMap<>();
    private final Map<JsonObject, String> settled = new ConcurrentHashMap<>();

    /** @param serversDie whether responses may be missing; if not, the first missing response fails the load */
    Load(List<RunningServer> instances, boolean serversDie) {
        this(instances, serversDie, null);
    }

    /** Sends through a balancer. The first request that it cannot answer fails the load. */
    Load(List<RunningServer> instances, Balancer balancer) {
        this(instances, false, balancer);
    }

    private Load(List<RunningServer> instances, boolean serversDie, Balancer balancer) {
        this.instances = instances;
        this.serversDie = serversDie;
        this.balancer = balancer;
        this.caller = instances.get(0).caller();
        this.site = instances.get(0).configuration().signingSite();
    }

    void start() {
        for (int i = 0; i < THREADS_OF_A_KIND; i++) {
            threads.execute(() -> repeatedly(this::writeAnEvent));
            threads.execute(() -> repeatedly(this::sendACall));
            threads.execute(() -> repeatedly(this::settleAClaim));
        }
    }

    private void repeatedly(Runnable work) {
        try {
            while (!stopped && failure.get() == null) {
                work.run();
                acknowledged.incrementAndGet();
            }
        } catch (RuntimeException | AssertionError e) {
            failure.compareAndSet(null, e);
        }
    }

    /** Waits until this many more requests are acknowledged. */
    void awaitMore(int count) {
        int goal = acknowledged.get() + count;
        await("load").atMost(MAX_WAIT).until(() -> acknowledged.get() >= goal || failure.get() != null);
        rethrow();
    }

    private void writeAnEvent() {
        String key = Marks.text("key");
        Ask ask = Ask.post(
                Ledger.INGEST, Ledger.entry(key, Ledger.event(caller.tenant()).put("payload", key)));
        String id = answer(ask, 200, 201).get("id");
        events.put(key, id);
        assertThat(answer(ask, 200).get("id")).isEqualTo(id);
    }

    private void sendACall() {
        Ask ask = Calls.signed(site, Calls.body(site.id()));
        String id = answer(ask, 200, 201).get("call_id");
        calls.put(ask, id);
        assertThat(answer(ask, 200).get("call_id")).isEqualTo(id);
    }

    private void settleAClaim() {
        JsonObject body = Claims.fresh();
        Answer claim = answer(Ask.post(Claims.CLAIMS, body), 201, 202);
        if (claim.status() == 202) {
            assertThat(serversDie)
                    .as("only the response of a killed server can be lost")
                    .isTrue();
            return;
        }
        String result = Marks.unique();
        Ask settlement = Ask.post(
                Claims.CLAIMS + "/" + claim.get("claim_id") + "/succeed",
                new JsonObject().put("token", claim.get("token")).put("result", result));
        answer(settlement, 200);
        settled.put(body, result);
        assertThat(answer(Ask.post(Claims.CLAIMS, body), 200).get("result")).isEqualTo(result);
    }

    /** A valid response from any instance. */
    private Answer answer(Ask ask, Integer... right) {
        AtomicReference<Answer> got = new AtomicReference<>();
        await("an answer")
                .atMost(MAX_WAIT)
                .pollInterval(Duration.ofMillis(10))
                .pollDelay(Duration.ZERO)
                .until(() -> {
                    got.set(attempt(ask));
                    return got.get() != null;
                });
        assertThat(got.get().status())
                .as("%s %s: %s", ask.path(), ask.text(), got.get())
                .isIn((Object[]) right);
        return got.get();
    }

    /** A response, or null if there was none or the server is unavailable. */
    private Answer attempt(Ask ask) {
        if (balancer != null) {
            return balancer.send(caller, ask);
        }
        RunningServer instance = instances.get(Math.floorMod(turns.getAndIncrement(), instances.size()));
        try {
            if (!serversDie) {
                return instance.here(caller).send(ask);
            }
            Answer answer = instance.here(caller).attempt(ask);
            return answer.status() == 503 ? null : answer;
        } catch (IOException itDied) {
            return null;
        }
    }

    /** Ends after every client has received its response. */
    void stop() {
        stopped = true;
        threads.shutdown();
        try {
            assertThat(threads.awaitTermination(MAX_WAIT.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        rethrow();
    }

    private void rethrow() {
        if (failure.get() != null) {
            throw new AssertionError("The load failed", failure.get());
        }
    }

    /** Nothing acknowledged is lost, and nothing is stored twice. */
    void verify() {
        Map<String, String> written = new HashMap<>();
        for (JsonObject event : Ledger.all(caller, 500)) {
            assertThat(written.put(event.getString("payload"), event.getString("id")))
                    .as("events that are stored twice")
                    .isNull();
        }
        assertThat(written).as("events").isEqualTo(events);
        Set<String> rows = new HashSet<>(
                instances.get(0).database().column("SELECT signature_hash FROM calls WHERE site_id = ?", site.id()));
        assertThat(instances.get(0).database().count("SELECT count(*) FROM calls WHERE site_id = ?", site.id()))
                .isEqualTo(rows.size());
        assertThat(rows).as("calls").hasSize(calls.size());
        calls.forEach((ask, id) -> assertThat(answer(ask, 200).get("call_id")).isEqualTo(id));
        settled.forEach((body, result) -> assertThat(
                        answer(Ask.post(Claims.CLAIMS, body), 200).get("result"))
                .isEqualTo(result));
        assertThat(List.of(events.size(), calls.size(), settled.size())).doesNotContain(0);
    }

    @Override
    public void close() {
        stopped = true;
        threads.shutdownNow();
    }
}

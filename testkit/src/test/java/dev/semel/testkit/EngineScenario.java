// SPDX-License-Identifier: Apache-2.0
package dev.semel.testkit;

import static org.awaitility.Awaitility.await;

import dev.semel.ClaimEvent;
import dev.semel.Codec;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.Semel;
import dev.semel.SemelBuilder;
import dev.semel.claim.ClaimKey;
import dev.semel.key.Secrets;
import dev.semel.memory.MemoryClaimStore;
import dev.semel.spi.ClaimStore;
import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/**
 * Engines on a store that can fail and whose clock is fixed, and one operation whose effects are counted. A test that waits
 * for a timeout of the store builds an engine with a short timeout. All others have a long one, so that a slow machine is
 * not mistaken for a store that is down.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
abstract class EngineScenario {
    static final Operation<String> PAY = Operation.of("pay", Codec.text());
    static final Duration LEASE = PAY.terms().lease();
    static final ClaimKey KEY = PAY.key("acme", "order-17");

    /** The short timeout. */
    static final Duration SHORT_TIMEOUT = Duration.ofMillis(500);

    final MutableClock clock = MutableClock.fromNow();
    final MemoryClaimStore memory = new MemoryClaimStore(clock);
    final RecordingStore recorder = new RecordingStore(memory);
    final FaultyStore store = new FaultyStore(recorder);
    final Queue<ClaimEvent> events = new ConcurrentLinkedQueue<>();
    final AtomicInteger effects = new AtomicInteger();
    private final List<Semel> engines = new ArrayList<>();

    final Semel semel = engineOn(store, Duration.ofSeconds(30));

    @AfterEach
    void closeEngines() {
        store.heal();
        engines.forEach(Semel::close);
    }

    final Semel engineOn(ClaimStore claims, Duration storeTimeout) {
        return opened(settings(claims, storeTimeout));
    }

    /** Without a cache, because the store's clock is ahead of the process's clock here. */
    private SemelBuilder settings(ClaimStore claims, Duration storeTimeout) {
        return Semel.on(claims)
                .secrets(Secrets.of("a secret that is the same in every process"))
                .listener(events::add)
                .storeTimeout(storeTimeout)
                .withoutReplayCache()
                .withoutSweep();
    }

    private Semel opened(SemelBuilder settings) {
        Semel engine = settings.build();
        engines.add(engine);
        return engine;
    }

    /** An engine with a short timeout, also for calls that the caller's thread would make itself. */
    final Semel shortTimeoutEngine() {
        return opened(settings(store, SHORT_TIMEOUT).withoutCallerRuns());
    }

    /** Another process: it shares the data with the first one, but not its engine and not its faults. */
    final Semel otherProcess() {
        return engineOn(memory, Duration.ofSeconds(30));
    }

    final Outcome<String> pay(Semel engine) {
        return pay(engine, "paid");
    }

    final Outcome<String> pay(Semel engine, String receipt) {
        return engine.execute(PAY, KEY, run -> effect(receipt));
    }

    final String effect(String receipt) {
        effects.incrementAndGet();
        return receipt;
    }

    final Snapshot claim() {
        return claim(KEY);
    }

    final Snapshot claim(ClaimKey key) {
        Snapshot claim = memory.read(List.of(semel.refOf(key))).get(semel.refOf(key));
        return Objects.requireNonNull(claim, "The claim does not exist");
    }

    final boolean heard(ClaimEvent.Kind kind) {
        return events.stream().anyMatch(event -> event.kind() == kind);
    }

    final void awaitEvent(ClaimEvent.Kind kind) {
        await().until(() -> heard(kind));
    }

    /** Waits until the store has answered a renewal that was sent after now. */
    final void awaitRenewal(ClaimKey key) {
        long before = renewals(key);
        // The first of the two may have been in progress. The second is sent only after the answer to the first.
        await().until(() -> renewals(key) >= before + 2);
    }

    final long renewals(ClaimKey key) {
        return recorder.commands().stream()
                .filter(command ->
                        command instanceof Command.Renew && command.ref().equals(semel.refOf(key)))
                .count();
    }

    static <T> Outcome.Succeeded<T> done(T value) {
        return new Outcome.Succeeded<>(value, false);
    }

    static <T> Outcome.Succeeded<T> replayed(T value) {
        return new Outcome.Succeeded<>(value, true);
    }
}

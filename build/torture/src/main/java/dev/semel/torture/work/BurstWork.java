// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.work;

import dev.semel.ClaimOutcome;
import dev.semel.claim.AliasedKey;
import dev.semel.torture.history.Answer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/**
 * So many claims at once that they fill several batches of every lane. While the store is silent, most of them leave without
 * having been sent. Those that are granted are given back.
 */
final class BurstWork implements Workload {
    static final String KIND = "burst";

    /** More than the engine sends in the time-out of the store: two lanes, three batches each. */
    static final int IN_BATCHES = 2_000;

    /** The same where each claim is a request of its own. */
    static final int IN_REQUESTS = 150;

    private static final long PAUSE_NANOS = Duration.ofSeconds(4).toNanos();

    private final Instance instance;
    private final Recorder recorder;
    private final Items items;
    private final int claims;
    private final AtomicLong next;

    BurstWork(Instance instance, Recorder recorder, Items items, int claims) {
        this.claims = claims;
        this.instance = instance;
        this.recorder = recorder;
        this.items = items;
        this.next = new AtomicLong(System.nanoTime());
    }

    @Override
    public void step(SplittableRandom random) throws InterruptedException {
        long now = System.nanoTime();
        long due = next.get();
        if (now - due < 0 || !next.compareAndSet(due, now + PAUSE_NANOS)) {
            // The other threads have other work.
            Thread.sleep(1);
            return;
        }
        List<CompletableFuture<Void>> calls = new ArrayList<>();
        long burst = recorder.nextRun();
        for (int i = 0; i < claims; i++) {
            calls.add(claim(items.unsettled(KIND, "%x-%d".formatted(burst, i))));
        }
        calls.forEach(CompletableFuture::join);
    }

    private CompletableFuture<Void> claim(Item item) {
        instance.register(item.key(KIND), item);
        long call = recorder.asked(item, Bounds.execute(item));
        return instance.semel
                .claim(
                        AliasedKey.of(item.key(KIND)),
                        item.fingerprint(),
                        item.operation(KIND).terms(),
                        Duration.ZERO)
                .thenCompose(outcome -> {
                    boolean granted = outcome instanceof ClaimOutcome.Granted;
                    recorder.told(item, call, granted ? Answer.GRANTED : Answer.UNAVAILABLE);
                    return outcome instanceof ClaimOutcome.Granted mine
                            ? instance.semel.giveBack(mine.claim()).thenApply(answer -> (Void) null)
                            : CompletableFuture.<Void>completedFuture(null);
                })
                .toCompletableFuture();
    }

    @Override
    public boolean settles(String name, SplittableRandom random) {
        return true;
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.work;

import dev.semel.RunContext;
import dev.semel.torture.history.Answer;
import java.time.Duration;
import java.util.SplittableRandom;

/** The work that one call brings: it takes a random time, and sometimes fails. Tells what was settled. */
final class RandomRun {
    private final Instance instance;
    private final Recorder recorder;
    private final Item item;
    private final SplittableRandom random;

    private long run;
    private long endedAt;
    private int bytes;
    private String hash = "";

    RandomRun(Instance instance, Recorder recorder, Item item, SplittableRandom random) {
        this.instance = instance;
        this.recorder = recorder;
        this.item = item;
        this.random = random;
    }

    byte[] run(RunContext context) throws Exception {
        run = recorder.nextRun();
        if (item.cap() > 0 && context.attempt() > item.cap()) {
            recorder.unexpected(item.name(), "work began as attempt %d".formatted(context.attempt()));
        }
        recorder.began(item, run, instance.store.held(item.name(), context.fence()));
        Pace.of(item.lease(), random).pass();
        int dice = random.nextInt(item.name().startsWith(ConflictWork.KIND) ? 20 : 100);
        if (dice < 8) {
            recorder.ended(item, run, 0, "");
            throw new PassingFailure();
        }
        if (dice == 8) {
            recorder.ended(item, run, 0, "");
            throw new FinalFailure();
        }
        if (dice == 9) {
            endedAt = recorder.ended(item, run, 0, "");
            return context.reject("REFUSED");
        }
        byte[] content = Content.of(run, item.bytes());
        bytes = content.length;
        hash = Content.hash(content);
        endedAt = recorder.ended(item, run, bytes, hash);
        return content;
    }

    boolean ran() {
        return run != 0;
    }

    /** The outcome of this run was acknowledged. */
    void settled(Answer answer) {
        if (ran()) {
            recorder.settled(item, run, answer, endedAt == 0 ? System.nanoTime() : endedAt, bytes, hash);
        }
    }

    /** The store has refused the outcome of this run, because it is not the owner any more. */
    void lost() {
        recorder.lost(item, run, bytes, hash);
    }

    /** How long work takes. */
    record Pace(Duration duration) {
        static Pace of(Duration lease, SplittableRandom random) {
            int dice = random.nextInt(100);
            double share = dice < 65 ? 0 : dice < 90 ? 0.3 : dice < 97 ? 0.9 : 1.5;
            return new Pace(Duration.ofNanos((long) (lease.toNanos() * share * random.nextDouble())));
        }

        /** Of owners that often outlive their lease, because nobody renews it. */
        static Pace withoutRenewal(Duration lease, SplittableRandom random) {
            double share = random.nextInt(4) == 0 ? 1.6 : 0;
            return new Pace(Duration.ofNanos((long) (lease.toNanos() * share * random.nextDouble())));
        }

        void pass() throws InterruptedException {
            if (!duration.isZero()) {
                Thread.sleep(duration.toMillis());
            }
        }
    }
}

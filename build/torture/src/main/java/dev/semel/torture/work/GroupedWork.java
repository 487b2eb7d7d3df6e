// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.work;

import dev.semel.Codec;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.jdbc.GroupedClaims;
import dev.semel.jdbc.TransactionalClaims;
import dev.semel.torture.history.Answer;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/** Rows of many callers in one commit. */
final class GroupedWork implements Workload, AutoCloseable {
    static final String KIND = "grouped";

    private static final int SLOWEST_NANOS = 200_000_000;

    private static final Operation<byte[]> WRITE =
            Operation.of(KIND, Codec.bytes()).withoutExpiry().waitingUpTo(Duration.ofMillis(500));

    private final GroupedClaims<Effect, byte[]> group;
    private final Recorder recorder;
    private final Items items;
    private final boolean dirty;

    /** A row of the table of effects. */
    private record Effect(String item, String hash) {}

    GroupedWork(TransactionalClaims claims, Recorder recorder, Items items, ExecutorService callbacks, boolean dirty) {
        this.dirty = dirty;
        this.recorder = recorder;
        this.items = items;
        this.group = GroupedClaims.on(
                claims,
                WRITE,
                (connection, rows) -> {
                    for (Effect row : rows) {
                        TransactionalWork.insert(connection, row.item(), row.hash());
                    }
                    // Some transactions stay open for a while, so that faults meet them.
                    if (ThreadLocalRandom.current().nextInt(4) == 0) {
                        LockSupport.parkNanos(ThreadLocalRandom.current().nextInt(SLOWEST_NANOS));
                    }
                },
                callbacks);
    }

    @Override
    public void step(SplittableRandom random) throws Exception {
        call(items.choose(KIND, Duration.ofMillis(20), 30, random).forEver().upTo(70_000));
    }

    @Override
    public boolean settles(String name, SplittableRandom random) throws Exception {
        return Outcomes.isSettled(call(items.named(KIND, name).forEver().upTo(70_000)));
    }

    private Answer call(Item item) throws Exception {
        long call = recorder.asked(item, Bounds.transaction(item));
        long run = recorder.nextRun();
        recorder.beganInTransaction(item, run);
        byte[] content = Content.of(run, Math.max(8, item.bytes()));
        recorder.ended(item, run, content.length, Content.hash(content));
        Outcomes.Content told;
        try {
            Outcome<byte[]> outcome = group.submit(
                            item.key(KIND), item.fingerprint(), new Effect(item.name(), Content.hash(content)), content)
                    .toCompletableFuture()
                    .get();
            told = Outcomes.of(outcome);
        } catch (ExecutionException e) {
            if (!dirty) {
                throw e;
            }
            told = Outcomes.Content.of(Answer.UNAVAILABLE);
        }
        recorder.told(item, call, told.answer(), told.bytes(), told.hash());
        return told.answer();
    }

    @Override
    public void close() {
        group.close();
    }
}

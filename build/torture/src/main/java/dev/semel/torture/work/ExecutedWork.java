// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.work;

import dev.semel.Awaited;
import dev.semel.ClaimOutcome;
import dev.semel.Outcome;
import dev.semel.claim.AliasedKey;
import dev.semel.claim.ClaimKey;
import dev.semel.claim.Fingerprint;
import dev.semel.torture.history.Answer;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Plain keys through {@code Semel.execute} and {@code executeAsync}. */
final class ExecutedWork implements Workload {
    static final String KIND = "plain";

    private final Instance instance;
    private final Recorder recorder;
    private final Items items;

    ExecutedWork(Instance instance, Recorder recorder, Items items) {
        this.instance = instance;
        this.recorder = recorder;
        this.items = items;
    }

    @Override
    public void step(SplittableRandom random) throws InterruptedException, ExecutionException {
        Item item = random.nextInt(4) == 0
                ? items.crowded(KIND, random)
                : items.choose(KIND, Duration.ofMillis(60), 40, random);
        int dice = random.nextInt(20);
        if (random.nextInt(30) == 0) {
            askForAnother(item);
        } else if (dice < (item.cap() == 0 ? 1 : 8)) {
            claimAndGiveBack(item);
        } else if (dice < 11) {
            callAsync(item, random);
        } else {
            call(instance, recorder, item, AliasedKey.of(item.key(KIND)), random);
        }
    }

    @Override
    public boolean settles(String name, SplittableRandom random) {
        Item item = items.named(KIND, name);
        return Outcomes.isSettled(call(instance, recorder, item, AliasedKey.of(item.key(KIND)), random));
    }

    /** One blocking call. */
    static Answer call(Instance instance, Recorder recorder, Item item, AliasedKey key, SplittableRandom random) {
        register(instance, item, key);
        RandomRun run = new RandomRun(instance, recorder, item, random);
        long call = recorder.asked(item, Bounds.execute(item));
        Outcome<byte[]> outcome =
                instance.semel.execute(item.operation(key.key().scope()), key, item.fingerprint(), run::run);
        return told(recorder, item, run, call, outcome);
    }

    /** A caller with another request and the same key, which is told of no result. It only reads. */
    private void askForAnother(Item item) throws InterruptedException, ExecutionException {
        Awaited awaited = instance.semel
                .await(AliasedKey.of(item.key(KIND)), Fingerprint.of("another " + item.name()), Duration.ZERO)
                .toCompletableFuture()
                .get();
        if (awaited instanceof Awaited.Answered answered
                && (answered.outcome() instanceof ClaimOutcome.Succeeded
                        || answered.outcome() instanceof ClaimOutcome.Failed)) {
            recorder.unexpected(item.name(), "a caller was told the answer of another request");
        }
    }

    /** A claim whose work never begins, so that its attempt does not count. */
    private void claimAndGiveBack(Item item) throws InterruptedException, ExecutionException {
        AliasedKey key = AliasedKey.of(item.key(KIND));
        register(instance, item, key);
        long call = recorder.asked(item, Bounds.execute(item));
        ClaimOutcome outcome = instance.semel
                .claim(key, item.fingerprint(), item.operation(KIND).terms(), Duration.ZERO)
                .toCompletableFuture()
                .get();
        if (outcome instanceof ClaimOutcome.Granted granted) {
            instance.semel.giveBack(granted.claim()).toCompletableFuture().get();
        }
        recorder.told(item, call, outcome instanceof ClaimOutcome.Granted ? Answer.GRANTED : Answer.IN_PROGRESS);
    }

    private void callAsync(Item item, SplittableRandom random) {
        AliasedKey key = AliasedKey.of(item.key(KIND));
        register(instance, item, key);
        RandomRun run = new RandomRun(instance, recorder, item, random);
        long call = recorder.asked(item, Bounds.execute(item));
        Outcome<byte[]> outcome = instance.semel
                .executeAsync(item.operation(KIND), key, item.fingerprint(), context -> {
                    try {
                        return CompletableFuture.completedFuture(run.run(context));
                    } catch (Exception e) {
                        return CompletableFuture.failedFuture(e);
                    }
                })
                .toCompletableFuture()
                .join();
        told(recorder, item, run, call, outcome);
    }

    private static void register(Instance instance, Item item, AliasedKey key) {
        instance.register(key.key(), item);
        for (ClaimKey alias : key.aliases()) {
            instance.register(alias, item);
        }
    }

    private static Answer told(Recorder recorder, Item item, RandomRun run, long call, Outcome<byte[]> outcome) {
        Outcomes.Content content = Outcomes.of(outcome);
        boolean now = (outcome instanceof Outcome.Succeeded<byte[]> done && !done.replayed())
                || (outcome instanceof Outcome.Rejected<byte[]> rejected && !rejected.replayed())
                || (outcome instanceof Outcome.Failed<byte[]> failed && !failed.replayed());
        if (now) {
            run.settled(content.answer());
        } else if (content.answer() == Answer.LOST) {
            run.lost();
        }
        recorder.told(item, call, content.answer(), content.bytes(), content.hash());
        return content.answer();
    }
}

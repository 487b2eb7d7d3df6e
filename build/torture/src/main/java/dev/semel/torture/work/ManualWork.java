// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.work;

import dev.semel.Claim;
import dev.semel.ClaimOutcome;
import dev.semel.ClaimRequest;
import dev.semel.Ownership;
import dev.semel.claim.Status;
import dev.semel.claim.StoredResult;
import dev.semel.claim.Terms;
import dev.semel.payload.seal.Sealer;
import dev.semel.torture.history.Answer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;

/** Work outside the engine: claims, alone and many at once, renewals, settlements that are repeated, and claims given back. */
final class ManualWork implements Workload {
    static final String KIND = "manual";

    private static final int TRIES = 3;
    private static final String TYPE = "application/octet-stream";

    private final Instance instance;
    private final Recorder recorder;
    private final Items items;
    private final Sealer sealer;

    ManualWork(Instance instance, Recorder recorder, Items items) {
        this.instance = instance;
        this.recorder = recorder;
        this.items = items;
        this.sealer = new Sealer(instance.secrets);
    }

    @Override
    public void step(SplittableRandom random) throws Exception {
        Map<String, Item> chosen = new LinkedHashMap<>();
        int count = random.nextInt(3) == 0 ? 1 : 2 + random.nextInt(8);
        for (int i = 0; i < count; i++) {
            Item item = random.nextInt(12) == 0
                    ? items.crowded(KIND, random)
                    : items.choose(KIND, Duration.ofMillis(40), 60, random);
            chosen.put(item.name(), item);
        }
        call(Items.withRepetition(chosen.values(), random), random);
    }

    @Override
    public boolean settles(String name, SplittableRandom random) throws Exception {
        return Outcomes.isSettled(call(List.of(items.named(KIND, name)), random).get(0));
    }

    private List<Answer> call(List<Item> chosen, SplittableRandom random) throws Exception {
        List<Long> calls = new ArrayList<>();
        for (Item item : chosen) {
            instance.register(item.key(KIND), item);
            calls.add(recorder.asked(item, Bounds.execute(item)));
        }
        List<ClaimOutcome> outcomes = chosen.size() == 1
                ? List.of(instance.semel
                        .claim(
                                chosen.get(0).key(KIND),
                                chosen.get(0).fingerprint(),
                                terms(chosen.get(0)),
                                chosen.get(0).maxWait())
                        .toCompletableFuture()
                        .get())
                : instance.semel
                        .claimAll(chosen.stream()
                                .map(item -> ClaimRequest.of(item.key(KIND), item.fingerprint(), terms(item)))
                                .toList())
                        .toCompletableFuture()
                        .get();
        List<Answer> answers = new ArrayList<>();
        List<ManualRun> runs = new ArrayList<>();
        for (int i = 0; i < chosen.size(); i++) {
            Outcomes.Content told = told(chosen.get(i), outcomes.get(i));
            recorder.told(chosen.get(i), calls.get(i), told.answer(), told.bytes(), told.hash());
            answers.add(told.answer());
            if (outcomes.get(i) instanceof ClaimOutcome.Granted granted) {
                begin(chosen.get(i), granted.claim(), random, runs);
            }
        }
        Set<String> settled = settle(runs, random);
        for (int i = 0; i < chosen.size(); i++) {
            if (settled.contains(chosen.get(i).name())) {
                answers.set(i, Answer.SUCCEEDED);
            }
        }
        return answers;
    }

    private static Terms terms(Item item) {
        return item.operation(KIND).terms();
    }

    private Outcomes.Content told(Item item, ClaimOutcome outcome) {
        if (outcome instanceof ClaimOutcome.Succeeded done) {
            StoredResult result = done.result();
            if (result == null) {
                recorder.unexpected(item.name(), "a success has no result");
                return Outcomes.Content.of(Answer.TOMBSTONE);
            }
            // Omitted results are read alone by their next caller.
            return result.isOmitted() ? Outcomes.Content.of(Answer.IN_PROGRESS) : Outcomes.of(opened(item, result));
        }
        if (outcome instanceof ClaimOutcome.Failed failed) {
            return failed.result() == null || failed.result().isOmitted()
                    ? Outcomes.Content.of(Answer.FAILED)
                    : Outcomes.ofFailed(failed.result());
        }
        return Outcomes.Content.of(
                outcome instanceof ClaimOutcome.Granted
                        ? Answer.GRANTED
                        : outcome instanceof ClaimOutcome.InProgress
                                ? Answer.IN_PROGRESS
                                : outcome instanceof ClaimOutcome.Mismatch
                                        ? Answer.MISMATCH
                                        : outcome instanceof ClaimOutcome.Unknown
                                                ? Answer.UNKNOWN
                                                : Answer.UNAVAILABLE);
    }

    private void begin(Item item, Claim claim, SplittableRandom random, List<ManualRun> runs) throws Exception {
        int dice = random.nextInt(100);
        if (dice < 12) {
            instance.semel.giveBack(claim).toCompletableFuture().get();
            return;
        }
        // Some owners disappear without a word.
        if (dice < 15 || claim.leaseLeft().compareTo(item.lease().dividedBy(3)) < 0) {
            return;
        }
        long run = recorder.nextRun();
        recorder.began(item, run, instance.store.held(item.name(), claim.fence()));
        RandomRun.Pace.withoutRenewal(item.lease(), random).pass();
        if (random.nextInt(5) == 0) {
            instance.semel
                    .renew(claim.ref(), claim.token(), item.lease())
                    .toCompletableFuture()
                    .get();
        }
        boolean failed = random.nextInt(10) == 0;
        byte[] content = Content.of(run, isSealed(item) ? Math.min(item.bytes(), 1 << 20) : item.bytes());
        String hash = Content.hash(content);
        long ended = recorder.ended(item, run, failed ? 0 : content.length, failed ? "" : hash);
        runs.add(new ManualRun(item, claim, run, ended, failed, new StoredResult(TYPE, content), hash));
    }

    /** A run that is to be settled. */
    private record ManualRun(
            Item item, Claim claim, long run, long endedAt, boolean failed, StoredResult content, String hash) {}

    /**
     * Sends all settlements at once, so that they are batched; again after a lost answer, and sometimes once more.
     * Returns the items whose success is confirmed.
     */
    private Set<String> settle(List<ManualRun> runs, SplittableRandom random) throws Exception {
        List<ManualRun> left = runs;
        Set<String> confirmed = new HashSet<>();
        for (int i = 0; i < TRIES && !left.isEmpty(); i++) {
            Map<ManualRun, CompletableFuture<Ownership>> sent = new LinkedHashMap<>();
            for (ManualRun run : left) {
                sent.put(
                        run,
                        instance.semel
                                .settle(
                                        run.claim().ref(),
                                        run.claim().token(),
                                        run.failed() ? Status.RETRYABLE : Status.SUCCEEDED,
                                        run.failed() ? null : stored(run),
                                        null)
                                .toCompletableFuture());
            }
            List<ManualRun> again = new ArrayList<>();
            for (Map.Entry<ManualRun, CompletableFuture<Ownership>> entry : sent.entrySet()) {
                ManualRun run = entry.getKey();
                Ownership answer = entry.getValue().get();
                if (answer instanceof Ownership.Unavailable) {
                    again.add(run);
                } else if (answer instanceof Ownership.Confirmed && !run.failed()) {
                    if (confirmed.add(run.item().name())) {
                        recorder.settled(
                                run.item(),
                                run.run(),
                                Answer.SUCCEEDED,
                                run.endedAt(),
                                run.content().size(),
                                run.hash());
                    }
                    if (random.nextInt(6) == 0) {
                        again.add(run);
                    }
                } else if (confirmed.contains(run.item().name())) {
                    if (run.item().ttl().isEmpty()) {
                        recorder.unexpected(
                                run.item().name(), "a settlement that was confirmed is refused when sent again");
                    }
                } else if (answer instanceof Ownership.Lost && !run.failed()) {
                    recorder.lost(run.item(), run.run(), run.content().size(), run.hash());
                }
            }
            left = again;
        }
        return confirmed;
    }

    private static boolean isSealed(Item item) {
        return item.name().hashCode() % 3 == 0;
    }

    private StoredResult stored(ManualRun run) {
        if (!isSealed(run.item())) {
            return run.content();
        }
        return new StoredResult(
                TYPE, sealer.seal(run.claim().ref(), TYPE, run.content().bytes()));
    }

    private StoredResult opened(Item item, StoredResult stored) {
        if (!isSealed(item) || stored.isTombstone() || !stored.type().equals(TYPE)) {
            return stored;
        }
        for (var ref : instance.digests().allOf(dev.semel.key.ClaimMode.LEASED, item.key(KIND))) {
            try {
                return new StoredResult(TYPE, sealer.open(ref.ref(), TYPE, stored.bytes()));
            } catch (RuntimeException otherSecret) {
                // The record was made with another secret.
            }
        }
        recorder.unexpected(item.name(), "a sealed result cannot be opened");
        return StoredResult.tombstone("cannot be opened");
    }
}

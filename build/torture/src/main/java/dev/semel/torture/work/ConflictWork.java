// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.work;

import dev.semel.Outcome;
import dev.semel.claim.AliasedKey;
import dev.semel.torture.history.Answer;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Two items that ended by themselves, with a result or with a failure, and a caller that takes them for one: nothing runs, and
 * both keep their answers.
 */
final class ConflictWork implements Workload {
    static final String KIND = "conflict";

    private final Instance instance;
    private final Recorder recorder;
    private final Items items;

    ConflictWork(Instance instance, Recorder recorder, Items items) {
        this.instance = instance;
        this.recorder = recorder;
        this.items = items;
    }

    @Override
    public void step(SplittableRandom random) {
        Item first = items.choose(KIND, Duration.ofMillis(400), 6, random).forEver();
        Item second = items.choose(KIND, Duration.ofMillis(400), 6, random).forEver();
        if (first.name().equals(second.name())
                || !plain(first, random).isPermanent()
                || !plain(second, random).isPermanent()) {
            return;
        }
        AliasedKey both = new AliasedKey(first.key(KIND), List.of(second.key(KIND)));
        long call = recorder.asked(first, Bounds.execute(first));
        Outcome<byte[]> outcome =
                instance.semel.execute(first.operation(KIND), both, dev.semel.claim.Fingerprint.NONE, run -> {
                    recorder.unexpected(first.name(), "work ran under two keys that had both ended");
                    return new byte[0];
                });
        // Either result is right, so this answer says nothing about the first key alone.
        recorder.told(first, call, Answer.IN_PROGRESS);
        Answer answer = Outcomes.of(outcome).answer();
        if (!answer.isPermanent() && answer != Answer.UNAVAILABLE && answer != Answer.IN_PROGRESS) {
            recorder.unexpected(first.name(), "two keys that had both ended were answered by " + answer);
        }
        plain(first, random);
        plain(second, random);
    }

    private Answer plain(Item item, SplittableRandom random) {
        return ExecutedWork.call(instance, recorder, item, AliasedKey.of(item.key(KIND)), random);
    }

    @Override
    public boolean settles(String name, SplittableRandom random) {
        return Outcomes.isSettled(plain(items.named(KIND, name).forEver(), random));
    }
}

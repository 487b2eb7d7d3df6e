// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.work;

import dev.semel.claim.AliasedKey;
import dev.semel.claim.ClaimKey;
import dev.semel.torture.history.Answer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Items with several names. An alias is used alone only after this process was told that it leads to the item's result;
 * otherwise two records would be right.
 */
final class AliasedWork implements Workload {
    static final String KIND = "aliased";

    private static final List<String> NAMES = List.of("a", "b", "c");

    private final Instance instance;
    private final Recorder recorder;
    private final Items items;
    private final Set<String> linked = ConcurrentHashMap.newKeySet();

    AliasedWork(Instance instance, Recorder recorder, Items items) {
        this.instance = instance;
        this.recorder = recorder;
        this.items = items;
    }

    @Override
    public void step(SplittableRandom random) {
        Item item =
                items.choose(KIND, Duration.ofMillis(150), 12, random).forEver().upTo(70_000);
        List<String> known = NAMES.stream()
                .filter(name -> linked.contains(item.name() + name))
                .toList();
        if (!known.isEmpty() && random.nextBoolean()) {
            ClaimKey alone = alias(item, known.get(random.nextInt(known.size())));
            ExecutedWork.call(instance, recorder, item, AliasedKey.of(alone), random);
            return;
        }
        call(item, random);
    }

    private Answer call(Item item, SplittableRandom random) {
        List<String> names = new ArrayList<>();
        for (String name : NAMES) {
            if (random.nextInt(3) == 0) {
                names.add(name);
            }
        }
        AliasedKey key = new AliasedKey(
                item.key(KIND), names.stream().map(name -> alias(item, name)).toList());
        Answer answer = ExecutedWork.call(instance, recorder, item, key, random);
        if (answer == Answer.SUCCEEDED) {
            names.forEach(name -> linked.add(item.name() + name));
        }
        return answer;
    }

    @Override
    public boolean settles(String name, SplittableRandom random) {
        return Outcomes.isSettled(call(items.named(KIND, name).forEver().upTo(70_000), random));
    }

    private static ClaimKey alias(Item item, String name) {
        return new ClaimKey(Item.TENANT, KIND, item.name() + "-" + name);
    }
}

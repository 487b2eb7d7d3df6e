// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.work;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;

/** Chooses items so that all processes meet: from a window that moves with time. */
final class Items {
    private static final Duration CROWD = Duration.ofMillis(500);
    private static final String CROWDED = "-crowd";

    private final WorkerSettings settings;
    private final Map<String, Set<String>> asked = new ConcurrentHashMap<>();

    Items(WorkerSettings settings) {
        this.settings = settings;
    }

    /**
     * An item of this kind.
     *
     * @param every how often a new item enters the window
     * @param window how many items are in it
     */
    Item choose(String kind, Duration every, int window, SplittableRandom random) {
        long base = (System.nanoTime() - settings.startNanos()) / every.toNanos();
        return named(kind, "%s-%s-%d".formatted(kind, settings.round(), base + random.nextInt(window)));
    }

    /** One of very few items, not the largest, which many callers of every process ask for at the same time. */
    Item crowded(String kind, SplittableRandom random) {
        long base = (System.nanoTime() - settings.startNanos()) / CROWD.toNanos();
        return named(kind, "%s-%s%s%d".formatted(kind, settings.round(), CROWDED, base + random.nextInt(2)));
    }

    Item named(String kind, String name) {
        asked.computeIfAbsent(kind, any -> ConcurrentHashMap.newKeySet()).add(name);
        Item item = Item.of(settings.seed(), name);
        return name.contains(CROWDED) ? item.upTo(70_000) : item;
    }

    /** These items; one of a larger number sometimes twice, because callers put the same thing into one batch twice. */
    static List<Item> withRepetition(Collection<Item> items, SplittableRandom random) {
        List<Item> all = new ArrayList<>(items);
        if (all.size() > 1 && random.nextInt(6) == 0) {
            all.add(all.get(random.nextInt(all.size())));
        }
        return all;
    }

    /** An item that nobody else asks for, and that is not asked for again after the faults. */
    Item unsettled(String kind, String number) {
        return Item.of(settings.seed(), "%s-%s-%s".formatted(kind, settings.round(), number));
    }

    /** The items of this kind that were asked for. */
    Set<String> asked(String kind) {
        return asked.getOrDefault(kind, Set.of());
    }
}

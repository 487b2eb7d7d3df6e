// SPDX-License-Identifier: Apache-2.0
package dev.semel.admin;

import dev.semel.ClaimEvent;
import dev.semel.ClaimListener;
import dev.semel.claim.ClaimRef;
import dev.semel.claim.StoreException;
import dev.semel.spi.HistoryEntry;
import dev.semel.spi.HistoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes take-overs, conflicts and parks to the history, and counts replays, with a delay and in batches, so that callers do
 * not wait and a duplicate costs no write. What is not written when the process ends is lost, and so is what exceeds the
 * limits: the history informs, it decides nothing. Operators' decisions are not written here, but together with their
 * settlement.
 */
public final class HistoryRecorder implements ClaimListener, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HistoryRecorder.class);

    /** The maximum number of entries that wait to be written. */
    private static final int MAX_WAITING = 10_000;

    /** The maximum number of claims whose conflicts are counted in a minute. */
    private static final int MAX_COUNTED = 10_000;

    /** The maximum number of claims whose replays are counted between two writes. */
    private static final int MAX_REPLAYED = 50_000;

    /** Replays are written with every fifth write: a claim with many is then written seldom. */
    private static final int WRITES_PER_REPLAYS = 5;

    /** The maximum number of conflicts that are recorded for a claim in a minute. */
    static final int MAX_CONFLICTS = 3;

    private static final Duration CONFLICT_PERIOD = Duration.ofMinutes(1);

    /** How many waiting entries are searched for the conflict that a difference belongs to. */
    private static final int MAX_SEARCHED = 100;

    private final HistoryStore history;
    private final LongSupplier nanoTime;
    private final ScheduledExecutorService timer;
    private List<HistoryEntry> entries = new ArrayList<>();

    /** How many of the entries, from the first, waited already when the last write began. */
    private int held;

    private final Map<ClaimRef, Integer> conflicts = new HashMap<>();
    private long conflictsSince;

    /** Without the lock of this object: every duplicate is counted here. */
    private volatile ConcurrentMap<ClaimRef, AtomicLong> replays = new ConcurrentHashMap<>();

    private long dropped;

    /** Used by the timer alone. */
    private int writes;

    /** Writes every second, and replays every five seconds. */
    public HistoryRecorder(HistoryStore history) {
        this(history, Duration.ofSeconds(1), System::nanoTime);
    }

    HistoryRecorder(HistoryStore history, Duration interval, LongSupplier nanoTime) {
        this.history = history;
        this.nanoTime = nanoTime;
        this.conflictsSince = nanoTime.getAsLong();
        this.timer = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "semel-history");
            thread.setDaemon(true);
            return thread;
        });
        timer.scheduleWithFixedDelay(this::tick, interval.toMillis(), interval.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void onClaim(ClaimEvent event) {
        switch (event.kind()) {
            case TAKEN_OVER -> add(HistoryEntry.Kind.TAKEN_OVER, event, null);
            case PARKED -> add(HistoryEntry.Kind.PARKED, event, null);
            case MISMATCH, ALIAS_CONFLICT -> conflict(event);
            case REPLAYED, FAILURE_REPLAYED, REJECTION_REPLAYED -> replayed(event.ref());
            default -> {
                // The claim itself shows all others.
            }
        }
    }

    /** A caller that repeats a conflict must not fill the history: few are recorded for each claim. */
    private synchronized void conflict(ClaimEvent event) {
        long now = nanoTime.getAsLong();
        if (now - conflictsSince >= CONFLICT_PERIOD.toNanos()) {
            conflicts.clear();
            conflictsSince = now;
        }
        boolean counted = conflicts.size() < MAX_COUNTED || conflicts.containsKey(event.ref());
        if (counted && conflicts.merge(event.ref(), 1, Integer::sum) <= MAX_CONFLICTS) {
            add(HistoryEntry.Kind.CONFLICT, event, null);
        }
    }

    /** Adds to the last conflict of a claim where its request differed. */
    public synchronized void differs(ClaimRef ref, String pointers) {
        int oldest = Math.max(0, entries.size() - MAX_SEARCHED);
        for (int i = entries.size() - 1; i >= oldest && !pointers.isEmpty(); i--) {
            HistoryEntry entry = entries.get(i);
            if (entry.kind() == HistoryEntry.Kind.CONFLICT && entry.ref().equals(ref) && entry.details() == null) {
                entries.set(
                        i, HistoryEntry.of(HistoryEntry.Kind.CONFLICT, ref, entry.scope(), entry.attempt(), pointers));
                return;
            }
        }
    }

    private synchronized void add(HistoryEntry.Kind kind, ClaimEvent event, @Nullable String details) {
        if (entries.size() >= MAX_WAITING) {
            dropped++;
            return;
        }
        entries.add(HistoryEntry.of(kind, event.ref(), event.scope(), event.attempt(), details));
    }

    /** A replay that comes while the counts are written may be lost. */
    private void replayed(ClaimRef ref) {
        ConcurrentMap<ClaimRef, AtomicLong> counts = replays;
        AtomicLong known = counts.get(ref);
        if (known == null && counts.size() < MAX_REPLAYED) {
            known = counts.computeIfAbsent(ref, first -> new AtomicLong());
        }
        if (known != null) {
            known.incrementAndGet();
        }
    }

    /**
     * Writes what waits. A store that does not answer loses it, so that memory stays bounded. A conflict waits once more for
     * {@link #differs}, which is told after it.
     */
    void flush() {
        flush(false, true);
    }

    private void tick() {
        writes = (writes + 1) % WRITES_PER_REPLAYS;
        flush(false, writes == 0);
    }

    /** @param all also conflicts that could wait once more */
    private void flush(boolean all, boolean withReplays) {
        List<HistoryEntry> toWrite = new ArrayList<>();
        Map<ClaimRef, AtomicLong> toCount;
        long lost;
        synchronized (this) {
            List<HistoryEntry> waiting = new ArrayList<>();
            for (int i = 0; i < entries.size(); i++) {
                HistoryEntry entry = entries.get(i);
                boolean waits =
                        !all && i >= held && entry.kind() == HistoryEntry.Kind.CONFLICT && entry.details() == null;
                (waits ? waiting : toWrite).add(entry);
            }
            entries = waiting;
            held = waiting.size();
            toCount = withReplays ? replays : Map.of();
            if (withReplays) {
                replays = new ConcurrentHashMap<>();
            }
            lost = dropped;
            dropped = 0;
        }
        if (lost > 0) {
            LOG.warn("{} entries of the history were dropped, because more than {} were waiting", lost, MAX_WAITING);
        }
        try {
            for (int from = 0; from < toWrite.size(); from += HistoryStore.MAX_ENTRIES) {
                history.add(toWrite.subList(from, Math.min(toWrite.size(), from + HistoryStore.MAX_ENTRIES)));
            }
            List<Map.Entry<ClaimRef, AtomicLong>> counts = new ArrayList<>(toCount.entrySet());
            for (int from = 0; from < counts.size(); from += HistoryStore.MAX_ENTRIES) {
                Map<ClaimRef, Long> batch = new HashMap<>();
                counts.subList(from, Math.min(counts.size(), from + HistoryStore.MAX_ENTRIES))
                        .forEach(count ->
                                batch.put(count.getKey(), count.getValue().get()));
                history.addReplays(batch);
            }
        } catch (StoreException e) {
            LOG.warn(
                    "{} entries of the history and the replays of {} claims were not written: {}",
                    toWrite.size(),
                    toCount.size(),
                    e.kind());
        } catch (RuntimeException e) {
            LOG.error("Writing the history failed", e);
        }
    }

    /** Writes what waits, and stops. */
    @Override
    public void close() {
        timer.shutdown();
        try {
            timer.awaitTermination(5, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        flush(true, true);
    }
}

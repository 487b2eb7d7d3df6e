// SPDX-License-Identifier: Apache-2.0
package dev.semel.memory;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.StalePolicy;
import dev.semel.claim.Status;
import dev.semel.claim.SweepReport;
import dev.semel.spi.Alias;
import dev.semel.spi.AliasPlan;
import dev.semel.spi.CacheEpoch;
import dev.semel.spi.ClaimBrowser;
import dev.semel.spi.ClaimEntry;
import dev.semel.spi.ClaimPage;
import dev.semel.spi.ClaimStore;
import dev.semel.spi.Command;
import dev.semel.spi.HistoryEntry;
import dev.semel.spi.HistoryStore;
import dev.semel.spi.JobLeases;
import dev.semel.spi.Snapshot;
import dev.semel.spi.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A map with one lock. For tests, for single processes that may lose their claims when they end, and as the model that every
 * other store is compared with.
 */
public final class MemoryClaimStore implements ClaimStore, ClaimBrowser, HistoryStore, JobLeases, CacheEpoch {
    private final InstantSource clock;
    private final Map<ClaimRef, MemoryRow> rows = new HashMap<>();
    private final MemoryHistory history = new MemoryHistory();
    private final MemoryJobs jobs = new MemoryJobs();
    private long epoch = 1;

    public MemoryClaimStore() {
        this(InstantSource.system());
    }

    /** A store that uses this clock. */
    public MemoryClaimStore(InstantSource clock) {
        this.clock = Objects.requireNonNull(clock, "A clock must not be null");
    }

    @Override
    public synchronized List<Verdict> apply(List<? extends Command> commands) {
        int largestResult = ClaimStore.largestResult(commands.size());
        List<Verdict> verdicts = new ArrayList<>(commands.size());
        for (Command command : commands) {
            verdicts.add(applied(command, now()).withResultUpTo(largestResult));
        }
        return verdicts;
    }

    private Verdict applied(Command command, Instant now) {
        if (command instanceof Command.Insert insert && !insert.aliases().isEmpty()) {
            return insertAliased(insert, now);
        }
        MemoryRow after = next(command, rows.get(command.ref()), now);
        if (after != null) {
            rows.put(command.ref(), after);
        }
        return Verdict.of(command, followed(command.ref(), now));
    }

    /** The row after the command; null if the command must not change it. */
    private @Nullable MemoryRow next(Command command, @Nullable MemoryRow row, Instant now) {
        if (command instanceof Command.Insert insert) {
            return row == null ? MemoryRow.inserted(insert, now) : null;
        }
        Command.Swap swap = (Command.Swap) command;
        if (row == null || !row.token().equals(swap.expected())) {
            return null;
        }
        if (swap instanceof Command.TakeOver takeOver) {
            boolean mayBeAbsent = takeOver.record() != null;
            return reclaimable(row, now) && (mayBeAbsent || !row.absent(now)) ? row.takenOver(takeOver, now) : null;
        }
        if (swap instanceof Command.Renew renew) {
            return row.status() == Status.IN_PROGRESS ? row.renewed(renew.lease(), now) : null;
        }
        if (swap instanceof Command.GiveBack giveBack) {
            return row.status() == Status.IN_PROGRESS ? row.givenBack(giveBack, now) : null;
        }
        Command.Settle settle = (Command.Settle) swap;
        return row.status().isOpen() && row.aliasOf() == null
                ? row.settled(settle.status(), settle.result(), settle.reason(), now)
                : null;
    }

    private boolean reclaimable(MemoryRow row, Instant now) {
        return row.aliasOf() == null
                ? row.snapshot(now).reclaimable()
                : AliasPlan.leadsNowhere(snapshot(row.aliasOf(), now));
    }

    private Verdict insertAliased(Command.Insert insert, Instant now) {
        AliasPlan plan = AliasPlan.of(insert, stored(insert.refs(), now));
        if (plan instanceof AliasPlan.Claim claim) {
            MemoryRow free = rows.get(insert.ref());
            MemoryRow taken = free == null ? MemoryRow.inserted(insert, now) : free.begunBy(insert, now);
            rows.put(insert.ref(), taken);
            point(claim.pointers(), insert, insert.ref(), now);
            return Verdict.of(insert, taken.snapshot(now));
        }
        if (plan instanceof AliasPlan.Link link) {
            point(link.pointers(), insert, link.record().ref(), now);
            return Verdict.of(insert, link.record());
        }
        AliasPlan.Conflict conflict = (AliasPlan.Conflict) plan;
        ClaimRef one = conflict.record().ref();
        ClaimRef other = conflict.other().ref();
        rows.computeIfPresent(one, (ref, row) -> row.conflicting(other));
        rows.computeIfPresent(other, (ref, row) -> row.conflicting(one));
        return conflict.verdict(insert);
    }

    /** These rows and those that they point to. */
    private Map<ClaimRef, Snapshot> stored(List<ClaimRef> refs, Instant now) {
        Map<ClaimRef, Snapshot> stored = new HashMap<>();
        for (ClaimRef ref : refs) {
            MemoryRow row = rows.get(ref);
            if (row != null) {
                stored.put(ref, row.snapshot(now));
                MemoryRow target = row.aliasOf() == null ? null : rows.get(row.aliasOf());
                if (target != null) {
                    stored.put(target.ref(), target.snapshot(now));
                }
            }
        }
        return stored;
    }

    private void point(List<Alias> aliases, Command.Insert insert, ClaimRef record, Instant now) {
        for (Alias alias : aliases) {
            MemoryRow free = rows.get(alias.ref());
            rows.put(
                    alias.ref(),
                    free == null
                            ? MemoryRow.pointer(alias, insert, record, now)
                            : free.pointing(alias, insert, record, now));
        }
    }

    private @Nullable Snapshot snapshot(ClaimRef ref, Instant now) {
        MemoryRow row = rows.get(ref);
        return row == null ? null : row.snapshot(now);
    }

    /** The record of this row, directly or through its pointer; the row itself if it points to no record. */
    private @Nullable Snapshot followed(ClaimRef ref, Instant now) {
        Snapshot row = snapshot(ref, now);
        if (row == null || row.aliasOf() == null) {
            return row;
        }
        Snapshot target = snapshot(row.aliasOf(), now);
        return AliasPlan.leadsNowhere(target) ? row : target;
    }

    @Override
    public synchronized Map<ClaimRef, Snapshot> read(Collection<ClaimRef> refs) {
        Instant now = now();
        int largestResult = ClaimStore.largestResult(refs.size());
        Map<ClaimRef, Snapshot> found = new HashMap<>();
        for (ClaimRef ref : refs) {
            Snapshot claim = followed(ref, now);
            if (claim != null) {
                found.put(ref, claim.withResultUpTo(largestResult));
            }
        }
        return found;
    }

    @Override
    public synchronized SweepReport sweep(int limit) {
        Instant now = now();
        List<MemoryRow> expired = rows.values().stream()
                .filter(row -> row.expired(now))
                .limit(limit)
                .toList();
        List<MemoryRow> abandoned = rows.values().stream()
                .filter(row -> row.abandoned(now))
                .limit(limit)
                .toList();
        expired.forEach(row -> rows.remove(row.ref()));
        rows.values().removeIf(row -> row.aliasOf() != null && !isRecord(row.aliasOf()));
        int parked = 0;
        for (MemoryRow row : abandoned) {
            boolean park = row.onStale() == StalePolicy.PARK;
            Status to = park ? Status.UNKNOWN : Status.RETRYABLE;
            rows.put(row.ref(), row.settled(to, null, SweepReport.ABANDONED, now));
            if (park) {
                parked++;
                history.add(
                        List.of(HistoryEntry.parked(
                                row.ref(), row.scope(), row.fence(), row.attempt(), SweepReport.ABANDONED)),
                        now);
            }
        }
        boolean more = expired.size() == limit || abandoned.size() == limit;
        return new SweepReport(expired.size(), abandoned.size() - parked, parked, more);
    }

    private boolean isRecord(ClaimRef ref) {
        MemoryRow row = rows.get(ref);
        return row != null && row.aliasOf() == null;
    }

    @Override
    public synchronized Optional<ClaimEntry> find(ClaimRef ref) {
        return Optional.ofNullable(rows.get(ref))
                .map(row -> row.aliasOf() == null ? row : rows.get(row.aliasOf()))
                .filter(row -> row.aliasOf() == null)
                .map(row -> row.entry(now()));
    }

    @Override
    public synchronized ClaimPage page(Query query) {
        Cursor after = query.after();
        Instant latest = query.minAge() == null ? Instant.MAX : now().minus(query.minAge());
        List<ClaimEntry> entries = records(query.tenant())
                .filter(query::matches)
                .filter(entry -> query.from() == null || !entry.createdAt().isBefore(query.from()))
                .filter(entry -> query.before() == null || entry.createdAt().isBefore(query.before()))
                .filter(entry -> !entry.createdAt().isAfter(latest))
                .filter(entry -> after == null || Cursor.NEWEST_FIRST.compare(Cursor.of(entry), after) > 0)
                .sorted(Comparator.comparing(Cursor::of, Cursor.NEWEST_FIRST))
                .limit(query.limit())
                .toList();
        return new ClaimPage(
                entries, entries.size() == query.limit() ? Cursor.of(entries.get(entries.size() - 1)) : null);
    }

    private Stream<ClaimEntry> records(String tenant) {
        Instant now = now();
        return rows.values().stream()
                .filter(row -> row.aliasOf() == null && row.ref().tenant().equals(tenant))
                .map(row -> row.entry(now));
    }

    @Override
    public synchronized List<ClaimEntry> withPrefix(String tenant, String prefix, int limit) {
        ClaimBrowser.checkPrefix(prefix);
        return rows.keySet().stream()
                .filter(ref -> ref.tenant().equals(tenant) && ref.digest().hex().startsWith(prefix))
                .sorted()
                .limit(limit)
                .flatMap(ref -> find(ref).stream())
                .distinct()
                .toList();
    }

    @Override
    public synchronized Scopes scopes(String tenant, int limit) {
        Set<String> names = records(tenant)
                .map(ClaimEntry::scope)
                .distinct()
                .limit(limit + 1L)
                .collect(Collectors.toSet());
        return new Scopes(names.stream().sorted().limit(limit).collect(Collectors.toSet()), names.size() <= limit);
    }

    @Override
    public synchronized Map<Status, Long> counts(String tenant) {
        Map<Status, Long> counts = new EnumMap<>(Status.class);
        for (MemoryRow row : rows.values()) {
            if (row.aliasOf() == null && row.ref().tenant().equals(tenant)) {
                counts.merge(row.status(), 1L, Long::sum);
            }
        }
        return counts;
    }

    @Override
    public synchronized long onlyFoundBy(String secretId) {
        Instant now = now();
        Map<ClaimRef, Integer> surplus = new HashMap<>();
        for (MemoryRow row : rows.values()) {
            ClaimRef record = row.aliasOf() == null ? row.ref() : row.aliasOf();
            surplus.merge(record, row.secretId().equals(secretId) ? 1 : -1, Integer::sum);
        }
        return rows.values().stream()
                .filter(row -> row.aliasOf() == null && !row.expired(now))
                .filter(row -> surplus.getOrDefault(row.ref(), 0) > 0)
                .count();
    }

    @Override
    public synchronized Verdict decide(Command.Settle decision, HistoryEntry entry) {
        HistoryStore.checkDecision(decision, entry);
        Snapshot claim = snapshot(decision.ref(), now());
        if (claim == null || (claim.status() == Status.IN_PROGRESS && !claim.lapsed())) {
            return new Verdict.Refused(claim);
        }
        boolean open = claim.status().isOpen() && claim.token().equals(decision.expected());
        Verdict verdict = applied(decision, now());
        if (open && verdict instanceof Verdict.Applied) {
            history.add(List.of(entry), now());
        }
        return verdict;
    }

    @Override
    public synchronized void add(List<HistoryEntry> entries) {
        history.add(entries, now());
    }

    @Override
    public synchronized void addReplays(Map<ClaimRef, Long> replays) {
        history.addReplays(replays);
    }

    @Override
    public synchronized long replays(ClaimRef ref) {
        return history.replays(ref);
    }

    @Override
    public synchronized List<HistoryEntry> history(ClaimRef ref, int limit) {
        return history.newest(limit, entry -> entry.ref().equals(ref));
    }

    @Override
    public synchronized List<HistoryEntry> decisions(String tenant, @Nullable Long before, int limit) {
        return history.newest(
                limit,
                entry -> entry.kind().isDecision()
                        && entry.ref().tenant().equals(tenant)
                        && (before == null || entry.id() < before));
    }

    @Override
    public synchronized int purge(Duration age, @Nullable Duration decisions, int limit) {
        return history.purge(now(), age, decisions, limit, rows.keySet());
    }

    @Override
    public synchronized boolean start(String name, String holder, Duration lease, Duration pause) {
        JobLeases.check(name, holder);
        return jobs.start(name, holder, lease, pause, now());
    }

    @Override
    public synchronized boolean extend(String name, String holder, Duration lease) {
        return jobs.extend(name, holder, lease, now());
    }

    @Override
    public synchronized void end(String name, String holder, String report) {
        jobs.end(name, holder, report, now());
    }

    @Override
    public synchronized Optional<JobRun> last(String name) {
        return jobs.last(name, now());
    }

    @Override
    public synchronized long due(int limit) {
        Instant now = now();
        return rows.values().stream()
                .filter(row -> row.expired(now) || row.abandoned(now))
                .limit(limit)
                .count();
    }

    @Override
    public synchronized long current() {
        return epoch;
    }

    @Override
    public synchronized long advance() {
        epoch = Math.max(epoch + 1, MemoryRow.micros(now()));
        return epoch;
    }

    /** Moves one claim into the past, so that tests of leases and expiry need not wait. */
    public synchronized void age(ClaimRef ref, Duration by) {
        rows.computeIfPresent(ref, (key, row) -> row.aged(by));
    }

    /** Databases keep microseconds. A finer clock here would make the model differ from them. */
    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MICROS);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.dynamodb;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Digest;
import dev.semel.claim.Status;
import dev.semel.spi.ClaimBrowser;
import dev.semel.spi.ClaimBrowser.Cursor;
import dev.semel.spi.ClaimBrowser.Query;
import dev.semel.spi.ClaimBrowser.Scopes;
import dev.semel.spi.ClaimEntry;
import dev.semel.spi.ClaimPage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Finds, lists and counts claims. One claim is read consistently. Lists come from an index, which is eventually consistent: a claim
 * may appear, or disappear, about a second late. The index knows tenant, time and scope of a claim, so a page by status has to read
 * the claims themselves.
 */
final class DynamoBrowser {
    /** The maximum number of claims that are read for one page, which costs a read unit or more for each. */
    static final int MAX_READ = 2_000;

    /** Later than every claim. */
    private static final Instant END = Instant.parse("9000-01-01T00:00:00Z");

    private static final Duration MAX_AGE = Duration.between(Instant.EPOCH, END);

    private static final int AT_ONCE = 400;

    private final DynamoCalls calls;
    private final DynamoReads reads;
    private final DynamoIndexes indexes;
    private final DynamoListedCheck listed;
    private final int maxScan;
    private final int maxRead;

    /**
     * @param maxScan the maximum number of entries of the index that are read for one page
     * @param maxRead the maximum number of claims that are read for one page
     */
    DynamoBrowser(DynamoCalls calls, DynamoReads reads, DynamoListedCheck listed, int maxScan, int maxRead) {
        this.calls = calls;
        this.reads = reads;
        this.indexes = new DynamoIndexes(calls);
        this.listed = listed;
        this.maxScan = maxScan;
        this.maxRead = maxRead;
    }

    Optional<ClaimEntry> find(ClaimRef ref) {
        return DynamoFutures.await(reads.rowsAndTargets(List.of(ref)).thenApply(rows -> {
            DynamoRow row = rows.get(ref);
            ClaimRef target = row == null ? null : row.aliasOf();
            return Optional.ofNullable(target == null ? row : rows.get(target))
                    .filter(record -> record.aliasOf() == null)
                    .map(this::entry);
        }));
    }

    private ClaimEntry entry(DynamoRow row) {
        return row.entry(calls.clock().now());
    }

    ClaimPage page(Query query) {
        DynamoNewest newest = newest(query);
        List<ClaimEntry> entries = new ArrayList<>();
        boolean byStatus = query.statuses().size() < Status.values().length;
        int read = 0;
        Cursor last = null;
        for (int scanned = 0; scanned < maxScan && read < maxRead; ) {
            int wanted = byStatus || query.scope() != null ? AT_ONCE : query.limit() - entries.size();
            List<DynamoIndexes.Listed> rows =
                    newest.next(Math.min(wanted, Math.min(maxScan - scanned, maxRead - read)));
            if (rows.isEmpty()) {
                return new ClaimPage(entries, null);
            }
            scanned += rows.size();
            List<DynamoIndexes.Listed> inScope = rows.stream()
                    .filter(row -> query.scope() == null || query.scope().equals(row.scope()))
                    .toList();
            read += inScope.size();
            for (ClaimEntry entry : entriesOf(query.tenant(), inScope)) {
                if (query.matches(entry)) {
                    entries.add(entry);
                    if (entries.size() == query.limit()) {
                        return new ClaimPage(entries, Cursor.of(entry));
                    }
                }
            }
            DynamoIndexes.Listed oldest = rows.get(rows.size() - 1);
            last = new Cursor(DynamoValues.moment(oldest.createdAt()), oldest.digest());
        }
        return new ClaimPage(entries, last);
    }

    private DynamoNewest newest(Query query) {
        listed.require();
        long end = micros(query.before() == null ? END : query.before());
        Duration minAge = query.minAge();
        if (minAge != null) {
            long now = DynamoFutures.await(calls.time()).earliest();
            end = Math.min(end, now - Math.min(now, limited(minAge)) + 1);
        }
        byte[] high = DynamoListing.first(Math.max(end, 1));
        Cursor after = query.after();
        if (after != null) {
            byte[] position = DynamoListing.position(
                    Math.max(micros(after.createdAt()), 1), after.digest().bytes());
            high = Arrays.compareUnsigned(position, high) < 0 ? position : high;
        }
        return newest(query.tenant(), query.from(), DynamoListing.before(high));
    }

    private DynamoNewest newest(String tenant, @Nullable Instant from, byte[] high) {
        byte[] low = DynamoListing.first(from == null ? 0 : micros(from));
        return new DynamoNewest(indexes, DynamoListing.recordsOf(tenant), low, high);
    }

    /** All of a tenant's claims. */
    private DynamoNewest all(String tenant) {
        listed.require();
        return newest(tenant, null, DynamoListing.first(micros(END)));
    }

    /** The claims that the index shows, without those that have been deleted or made anew since. */
    private List<ClaimEntry> entriesOf(String tenant, Collection<DynamoIndexes.Listed> rows) {
        List<ClaimEntry> entries = new ArrayList<>();
        List<ClaimRef> refs =
                rows.stream().map(row -> new ClaimRef(tenant, row.digest())).toList();
        Map<ClaimRef, DynamoRow> found = DynamoFutures.await(reads.rows(refs));
        for (DynamoIndexes.Listed row : rows) {
            DynamoRow record = found.get(new ClaimRef(tenant, row.digest()));
            if (record != null && record.aliasOf() == null && record.createdAt() == row.createdAt()) {
                entries.add(entry(record));
            }
        }
        return entries;
    }

    /**
     * A whole digest is read directly. Of a shorter one, one part of the tenant's index is read, until enough claims are found.
     */
    List<ClaimEntry> withPrefix(String tenant, String prefix, int limit) {
        ClaimBrowser.checkPrefix(prefix);
        if (prefix.length() == 2 * Digest.LENGTH) {
            return find(new ClaimRef(tenant, Digest.ofHex(prefix))).stream().toList();
        }
        listed.require();
        int part = Character.digit(prefix.charAt(0), 16);
        byte[] low = DynamoListing.first(0);
        byte[] high = DynamoListing.first(micros(END));
        DynamoNewest newest = new DynamoNewest(
                indexes,
                List.of(DynamoListing.recordsOf(tenant, part), DynamoListing.pointersOf(tenant, part)),
                low,
                high);
        Map<ClaimRef, ClaimEntry> found = new TreeMap<>();
        List<DynamoIndexes.Listed> rows = newest.next(maxScan);
        while (!rows.isEmpty() && found.size() < limit) {
            for (DynamoIndexes.Listed row : rows) {
                Digest digest = row.digest();
                if (found.size() < limit && digest.hex().startsWith(prefix)) {
                    find(new ClaimRef(tenant, digest)).ifPresent(entry -> found.put(entry.ref(), entry));
                }
            }
            rows = newest.next(maxScan);
        }
        return List.copyOf(found.values());
    }

    Scopes scopes(String tenant, int limit) {
        DynamoNewest all = all(tenant);
        Set<String> names = new HashSet<>();
        for (DynamoIndexes.Listed row : all.next(maxScan)) {
            if (!names.contains(row.scope()) && names.size() == limit) {
                return new Scopes(names, false);
            }
            names.add(row.scope());
        }
        return new Scopes(names, all.next(1).isEmpty());
    }

    Map<Status, Long> counts(String tenant) {
        DynamoNewest all = all(tenant);
        Map<Status, Long> counts = new EnumMap<>(Status.class);
        for (List<DynamoIndexes.Listed> rows = all.next(AT_ONCE); !rows.isEmpty(); rows = all.next(AT_ONCE)) {
            for (ClaimEntry entry : entriesOf(tenant, rows)) {
                counts.merge(entry.status(), 1L, Long::sum);
            }
        }
        return counts;
    }

    long due(int limit) {
        long until = DynamoFutures.await(calls.time()).over();
        List<CompletableFuture<Long>> parts = new ArrayList<>();
        for (int shard = 0; shard < DynamoRow.SHARDS; shard++) {
            parts.add(indexes.countDue(shard, until, limit));
        }
        long sum = DynamoFutures.await(DynamoFutures.all(parts)).stream()
                .mapToLong(Long::longValue)
                .sum();
        return Math.min(sum, limit);
    }

    /** Earlier than all claims is the beginning, later than all claims is the end. Everything in between fits into a long. */
    private static long micros(Instant moment) {
        if (moment.isBefore(Instant.EPOCH)) {
            return 0;
        }
        Instant limited = moment.isAfter(END) ? END : moment;
        return limited.getEpochSecond() * 1_000_000 + limited.getNano() / 1_000;
    }

    private static long limited(Duration age) {
        return age.isNegative() ? 0 : micros(Instant.EPOCH.plus(age.compareTo(MAX_AGE) > 0 ? MAX_AGE : age));
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.dynamodb;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Digest;
import dev.semel.claim.StoreException;
import dev.semel.claim.StoredResult;
import dev.semel.spi.AliasPlan;
import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import dev.semel.spi.Verdict;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Reads rows, consistently, and shows them as snapshots: with their results, and with records in the place of pointers. */
final class DynamoReads {
    /** How often a claim is read again whose result disappeared in between. */
    private static final int TRIES = 4;

    private final DynamoCalls calls;
    private final DynamoChunks chunks;

    DynamoReads(DynamoCalls calls, DynamoChunks chunks) {
        this.calls = calls;
        this.chunks = chunks;
    }

    /** The row of an item; null if there is none, or if it belongs to another tenant. */
    static @Nullable DynamoRow rowOf(ClaimRef ref, Map<String, AttributeValue> item) {
        if (item.isEmpty()) {
            return null;
        }
        DynamoRow row = new DynamoRow(item);
        return row.tenant().equals(ref.tenant()) ? row : null;
    }

    CompletableFuture<Optional<DynamoRow>> row(ClaimRef ref) {
        return calls.get(DynamoRow.keyOf(ref.digest())).thenApply(item -> Optional.ofNullable(rowOf(ref, item)));
    }

    /** The rows that exist among these, as they are stored. */
    CompletableFuture<Map<ClaimRef, DynamoRow>> rows(Collection<ClaimRef> refs) {
        Set<ClaimRef> wanted = new LinkedHashSet<>(refs);
        if (wanted.isEmpty()) {
            return CompletableFuture.completedFuture(Map.of());
        }
        Set<Digest> digests = wanted.stream().map(ClaimRef::digest).collect(Collectors.toSet());
        return calls.getAll(digests.stream().map(DynamoRow::keyOf).toList()).thenApply(items -> {
            Map<ClaimRef, DynamoRow> found = new HashMap<>();
            for (Map<String, AttributeValue> item : items) {
                DynamoRow row = new DynamoRow(item);
                ClaimRef ref = row.ref();
                if (wanted.contains(ref)) {
                    found.put(ref, row);
                }
            }
            return found;
        });
    }

    /** The rows that still point to this one. */
    CompletableFuture<List<DynamoRow>> pointersOf(DynamoRow row) {
        List<ClaimRef> refs = row.pointers().stream()
                .map(digest -> new ClaimRef(row.tenant(), digest))
                .toList();
        return rows(refs)
                .thenApply(rows -> rows.values().stream()
                        .filter(pointer -> row.ref().equals(pointer.aliasOf()))
                        .toList());
    }

    /** These rows and those that they point to. */
    CompletableFuture<Map<ClaimRef, DynamoRow>> rowsAndTargets(Collection<ClaimRef> refs) {
        return rows(refs).thenCompose(rows -> {
            Set<ClaimRef> targets = new LinkedHashSet<>();
            for (DynamoRow row : rows.values()) {
                ClaimRef target = row.aliasOf();
                if (target != null && !rows.containsKey(target)) {
                    targets.add(target);
                }
            }
            return rows(targets).thenApply(more -> {
                Map<ClaimRef, DynamoRow> both = new HashMap<>(rows);
                both.putAll(more);
                return both;
            });
        });
    }

    CompletableFuture<Map<ClaimRef, Snapshot>> snapshots(Collection<ClaimRef> refs, int largest) {
        // One reading of the clock for the whole answer. Without it, an answer that has expired could be told.
        return rowsAndTargets(refs)
                .thenCompose(rows -> calls.timeOfAnswers().thenCompose(now -> {
                    List<ClaimRef> found = new ArrayList<>();
                    List<CompletableFuture<Optional<Snapshot>>> shown = new ArrayList<>();
                    for (ClaimRef ref : new LinkedHashSet<>(refs)) {
                        DynamoRow row = rows.get(ref);
                        if (row != null) {
                            found.add(ref);
                            shown.add(shown(followed(row, rows, now), largest, now, TRIES));
                        }
                    }
                    return DynamoFutures.all(shown).thenApply(snapshots -> {
                        Map<ClaimRef, Snapshot> answer = new HashMap<>();
                        for (int i = 0; i < found.size(); i++) {
                            ClaimRef ref = found.get(i);
                            snapshots.get(i).ifPresent(snapshot -> answer.put(ref, snapshot));
                        }
                        return answer;
                    });
                }));
    }

    private static DynamoRow followed(DynamoRow row, Map<ClaimRef, DynamoRow> rows, @Nullable ClockReading now) {
        ClaimRef aliasOf = row.aliasOf();
        DynamoRow target = aliasOf == null ? null : rows.get(aliasOf);
        return target == null || AliasPlan.leadsNowhere(target.snapshot(now, null)) ? row : target;
    }

    /** The verdict on a command that this row refused, or that it shows to have been applied before. */
    CompletableFuture<Verdict> verdict(Command command, @Nullable DynamoRow row, int largest) {
        if (row == null) {
            return CompletableFuture.completedFuture(new Verdict.Refused(null));
        }
        ClaimRef aliasOf = row.aliasOf();
        if (aliasOf == null) {
            return verdictOn(command, row, largest);
        }
        return row(aliasOf)
                .thenCompose(target -> verdictOn(
                        command,
                        followed(
                                row,
                                target.map(found -> Map.of(aliasOf, found)).orElse(Map.of()),
                                calls.clock().now()),
                        largest));
    }

    private CompletableFuture<Verdict> verdictOn(Command command, DynamoRow row, int largest) {
        Verdict known = recognized(command, row);
        if (known != null) {
            return CompletableFuture.completedFuture(known);
        }
        return shown(row, largest)
                .thenApply(snapshot -> snapshot.isEmpty() || command instanceof Command.Settle
                        ? new Verdict.Refused(snapshot.orElse(null))
                        : resent(Verdict.of(command, snapshot.get()), row));
    }

    /**
     * The verdict on a settlement that was sent before, as this row shows; null on other commands and rows. It is recognized by the id of
     * its result, without reading that result.
     */
    @Nullable
    Verdict recognized(Command command, DynamoRow row) {
        if (!(command instanceof Command.Settle settle)) {
            return null;
        }
        StoredResult stored = DynamoChunks.isStoredIn(row, settle) ? settle.result() : row.result();
        if (stored != null && stored.isOmitted()) {
            return null;
        }
        Verdict verdict = Verdict.of(command, row.snapshot(calls.clock().now(), stored));
        return verdict instanceof Verdict.Applied ? resent(verdict, row) : null;
    }

    /** The verdict on a command that was sent again shows what its owner may rely on. Others may have to wait longer. */
    private Verdict resent(Verdict verdict, DynamoRow row) {
        return verdict instanceof Verdict.Applied ? applied(row, null) : verdict;
    }

    /** The row with its result, if that has at most this many bytes. Not without the time: an answer that has expired must not be told. */
    CompletableFuture<Optional<Snapshot>> shown(DynamoRow row, int largest) {
        return calls.timeOfAnswers().thenCompose(now -> shown(row, largest, now, TRIES));
    }

    private CompletableFuture<Optional<Snapshot>> shown(DynamoRow row, int largest, ClockReading now, int tries) {
        StoredResult stored = row.result();
        if (stored == null || !stored.isOmitted() || stored.size() > largest) {
            return CompletableFuture.completedFuture(
                    Optional.of(row.snapshot(now, stored).withResultUpTo(largest)));
        }
        return chunks.read(row).thenCompose(result -> {
            if (result.isPresent()) {
                return CompletableFuture.completedFuture(Optional.of(row.snapshot(now, result.get())));
            }
            if (tries == 0) {
                return CompletableFuture.failedFuture(new StoreException(
                        StoreException.Kind.REJECTED,
                        "A part of the result of the claim %s is missing"
                                .formatted(row.ref().digest())));
            }
            return row(row.ref())
                    .thenCompose(again -> again.isEmpty()
                            ? CompletableFuture.completedFuture(Optional.empty())
                            : shown(again.get(), largest, now, tries - 1));
        });
    }

    /** The verdict on a command that has just taken effect. */
    Verdict applied(DynamoRow after, @Nullable Long date) {
        return new Verdict.Applied(
                after.ref(),
                after.scope(),
                after.record(),
                after.attempt(),
                after.fence(),
                after.leaseLeft(calls.latestForOwner(date)));
    }
}

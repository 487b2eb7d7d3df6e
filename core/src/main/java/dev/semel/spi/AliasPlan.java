// SPDX-License-Identifier: Apache-2.0
package dev.semel.spi;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.OwnerToken;
import dev.semel.claim.StalePolicy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What an insert with aliases does, given the existing rows. Every store uses this decision. A row is <em>free</em> if it does
 * not exist, has expired, or points to no record ({@link #leadsNowhere}).
 */
public sealed interface AliasPlan {
    /** The order of decisiveness: of several records, the first one answers. */
    Comparator<Snapshot> BY_DECISIVENESS = Comparator.comparingInt(AliasPlan::rank);

    /** All rows are free: the insert's own row becomes the record, and these rows point to it. */
    record Claim(List<Alias> pointers) implements AliasPlan {}

    /** One record exists: it answers, and these free rows point to it from now on. */
    record Link(Snapshot record, List<Alias> pointers) implements AliasPlan {}

    /**
     * Several records exist. The most decisive one answers, so that no work runs again that one of them has run. No row is
     * linked, and the two records are marked with each other.
     */
    record Conflict(Snapshot record, Snapshot other) implements AliasPlan {
        /** The verdict on the insert. Resending an applied insert returns {@code Applied}. */
        public Verdict verdict(Command.Insert insert) {
            return Verdict.of(insert, record) instanceof Verdict.Applied applied
                    ? applied
                    : new Verdict.Refused(record, other.ref());
        }
    }

    /** The plan for an insert, from the stored rows of its digests and the rows that they point to. */
    static AliasPlan of(Command.Insert insert, Map<ClaimRef, Snapshot> rows) {
        Snapshot own = rows.get(insert.ref());
        if (own != null && own.token().equals(insert.token())) {
            // The insert was sent again. Its own claim answers, even if it has expired.
            return new Link(own, List.of());
        }
        List<Alias> digests = new ArrayList<>(insert.aliases());
        // If the insert's own row points elsewhere, it must not have the token that would make it a record.
        OwnerToken asAlias = new OwnerToken(insert.record().bytes());
        digests.add(new Alias(insert.ref(), insert.secretId(), asAlias));
        digests.sort(Comparator.comparing(Alias::ref));
        List<Alias> free = new ArrayList<>();
        Map<ClaimRef, Snapshot> records = new TreeMap<>();
        for (Alias digest : digests) {
            Snapshot record = recordOf(rows.get(digest.ref()), rows);
            if (record == null) {
                free.add(digest);
            } else {
                records.put(record.ref(), record);
            }
        }
        if (records.isEmpty()) {
            free.removeIf(name -> name.ref().equals(insert.ref()));
            return new Claim(List.copyOf(free));
        }
        // A stable sort: of equally decisive records, the first by digest answers for every caller.
        List<Snapshot> byDecisiveness =
                records.values().stream().sorted(BY_DECISIVENESS).toList();
        Snapshot first = byDecisiveness.get(0);
        return byDecisiveness.size() == 1
                ? new Link(first, List.copyOf(free))
                : new Conflict(first, byDecisiveness.get(1));
    }

    /** Whether a row points to no record, given the row that it points to. An expired record counts as none. */
    static boolean leadsNowhere(@Nullable Snapshot target) {
        return target == null || target.aliasOf() != null || target.expired();
    }

    private static @Nullable Snapshot recordOf(@Nullable Snapshot row, Map<ClaimRef, Snapshot> rows) {
        Snapshot target = row == null || row.aliasOf() == null ? row : rows.get(row.aliasOf());
        return leadsNowhere(target) ? null : target;
    }

    private static int rank(Snapshot record) {
        return switch (record.status()) {
            case SUCCEEDED -> 0;
            case FAILED -> 1;
            case IN_PROGRESS -> !record.lapsed() ? 2 : rankOfLapsed(record.onStale());
            case UNKNOWN -> 3;
            case RETRYABLE -> 7;
        };
    }

    /** A lapsed claim is more decisive the stricter its policy is. */
    private static int rankOfLapsed(StalePolicy policy) {
        return switch (policy) {
            case PARK -> 4;
            case RECONCILE -> 5;
            case RERUN -> 6;
        };
    }
}

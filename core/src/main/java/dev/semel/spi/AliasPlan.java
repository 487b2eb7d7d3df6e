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
 * What an insert with aliases does, given the rows that are there: how every store decides it. A row is <em>free</em> if
 * there is none, if it has expired, or if it leads nowhere ({@link #leadsNowhere}).
 */
public sealed interface AliasPlan {
    /** Which of several records answers for a caller whose names lead to all of them: the first. */
    Comparator<Snapshot> BY_DECISIVENESS = Comparator.comparingInt(AliasPlan::rank);

    /** All is free: the insert's own row becomes the record, and these rows lead to it. */
    record Claim(List<Alias> pointers) implements AliasPlan {}

    /** One record is there: it answers, and these rows, which are free, lead to it from now on. */
    record Link(Snapshot record, List<Alias> pointers) implements AliasPlan {}

    /**
     * Several records are there. The most decisive one answers, so that nothing runs that any of them has run; nothing
     * is linked, and each of the two is marked with the other.
     */
    record Conflict(Snapshot record, Snapshot other) implements AliasPlan {
        /** What the insert is told; of its own claim, when it is sent again, that it has it. */
        public Verdict verdict(Command.Insert insert) {
            return Verdict.of(insert, record) instanceof Verdict.Applied applied
                    ? applied
                    : new Verdict.Refused(record, other.ref());
        }
    }

    /** The plan, given the rows of the insert's digests and those that they lead to, as they are stored. */
    static AliasPlan of(Command.Insert insert, Map<ClaimRef, Snapshot> rows) {
        Snapshot own = rows.get(insert.ref());
        if (own != null && own.token().equals(insert.token())) {
            // Sent again: what became of it answers, also if that has expired by now.
            return new Link(own, List.of());
        }
        List<Alias> names = new ArrayList<>(insert.aliases());
        // If its own row is to lead elsewhere, it must not have the token that would make it a record.
        OwnerToken asAlias = new OwnerToken(insert.record().bytes());
        names.add(new Alias(insert.ref(), insert.secretId(), asAlias));
        names.sort(Comparator.comparing(Alias::ref));
        List<Alias> free = new ArrayList<>();
        Map<ClaimRef, Snapshot> records = new TreeMap<>();
        for (Alias name : names) {
            Snapshot record = recordOf(rows.get(name.ref()), rows);
            if (record == null) {
                free.add(name);
            } else {
                records.put(record.ref(), record);
            }
        }
        if (records.isEmpty()) {
            free.removeIf(name -> name.ref().equals(insert.ref()));
            return new Claim(List.copyOf(free));
        }
        // Stable: of equally decisive ones the first by digest, for everybody.
        List<Snapshot> byDecisiveness =
                records.values().stream().sorted(BY_DECISIVENESS).toList();
        Snapshot first = byDecisiveness.get(0);
        return byDecisiveness.size() == 1
                ? new Link(first, List.copyOf(free))
                : new Conflict(first, byDecisiveness.get(1));
    }

    /** Whether a row leads to no record, given the row that it names; so does one whose record has expired. */
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

    /** The stricter its policy, the more a lapsed claim decides. */
    private static int rankOfLapsed(StalePolicy policy) {
        return switch (policy) {
            case PARK -> 4;
            case RECONCILE -> 5;
            case RERUN -> 6;
        };
    }
}

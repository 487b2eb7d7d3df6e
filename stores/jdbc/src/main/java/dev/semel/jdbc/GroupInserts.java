// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Status;
import dev.semel.spi.Snapshot;
import dev.semel.spi.Verdict;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Makes the claims of a group inside its transaction, as done: plain ones in one statement, then those that have several
 * names or a second claim, one by one. None of it waits for another transaction.
 */
final class GroupInserts {
    private final TransactionDialect dialect;
    private final AliasedClaims aliased;

    GroupInserts(TransactionDialect dialect, AliasedClaims aliased) {
        this.dialect = dialect;
        this.aliased = aliased;
    }

    /**
     * What was made; true once it is committed.
     *
     * @param fresh the claims that are new
     * @param taken those of them whose second claim somebody else has: their rows must not be written
     * @param alone the entries that need a transaction of their own, to take a second claim over
     * @param seen what is there for others
     */
    record Made(Set<ClaimRef> fresh, Set<ClaimRef> taken, Set<ClaimRef> alone, Map<ClaimRef, Snapshot> seen) {
        boolean isWritten(ClaimRef ref) {
            return fresh.contains(ref) && !taken.contains(ref);
        }
    }

    Made make(Connection connection, List<? extends GroupEntry<?, ?>> entries) throws SQLException {
        Made made = new Made(new HashSet<>(), new HashSet<>(), new HashSet<>(), new HashMap<>());
        List<DoneClaim> plain = entries.stream()
                .filter(GroupEntry::isPlain)
                .<DoneClaim>map(GroupEntry::claim)
                .toList();
        if (!plain.isEmpty()) {
            made.fresh().addAll(dialect.insertDone(connection, plain));
        }
        if (plain.size() < entries.size()) {
            makeOthers(connection, entries, made);
        }
        return made;
    }

    /** What is there is read once for all of them, so that duplicates cost no more. */
    private void makeOthers(Connection connection, List<? extends GroupEntry<?, ?>> entries, Made made)
            throws SQLException {
        Set<ClaimRef> names = new TreeSet<>();
        for (GroupEntry<?, ?> entry : entries) {
            if (!entry.isPlain()) {
                names.addAll(entry.claim().insert().refs());
            }
        }
        Map<ClaimRef, Snapshot> unlocked = aliased.rows(connection, names);
        for (GroupEntry<?, ?> entry : entries) {
            GroupEntry.Second second = entry.second();
            if (second != null) {
                makeBoth(connection, entry.claim(), second, unlocked, made);
            } else if (!entry.isPlain() && had(connection, entry.claim(), unlocked, made)) {
                settle(connection, entry.claim());
                made.fresh().add(entry.ref());
            }
        }
    }

    /** Both or neither: what cannot be had now is undone, with the locks that the first has taken. */
    private void makeBoth(
            Connection connection,
            DoneClaim first,
            GroupEntry.Second second,
            Map<ClaimRef, Snapshot> unlocked,
            Made made)
            throws SQLException {
        Savepoint before = connection.setSavepoint();
        if (!had(connection, first, unlocked, made)) {
            // Kept: a duplicate may just have learnt another name.
            connection.releaseSavepoint(before);
            return;
        }
        ClaimRef ref = first.insert().ref();
        Verdict verdict =
                aliased.acquireLeased(connection, second.claim().insert()).orElse(null);
        Snapshot there = verdict instanceof Verdict.Refused refused ? refused.claim() : null;
        if (verdict instanceof Verdict.Applied) {
            settle(connection, second.claim());
            settle(connection, first);
        } else if (isDone(there)) {
            settle(connection, second.firstIfTaken());
            made.taken().add(ref);
        } else {
            connection.rollback(before);
            if (there != null && there.reclaimable()) {
                made.alone().add(ref);
            }
            return;
        }
        connection.releaseSavepoint(before);
        made.fresh().add(ref);
    }

    private static boolean isDone(@Nullable Snapshot there) {
        return there != null
                && !there.reclaimable()
                && (there.status() == Status.SUCCEEDED || there.status() == Status.FAILED);
    }

    private boolean had(Connection connection, DoneClaim claim, Map<ClaimRef, Snapshot> unlocked, Made made)
            throws SQLException {
        Verdict verdict = aliased.acquire(connection, claim.insert(), unlocked).orElse(null);
        if (verdict instanceof Verdict.Refused refused && refused.claim() != null) {
            made.seen().put(claim.insert().ref(), refused.claim());
        }
        return verdict instanceof Verdict.Applied;
    }

    private void settle(Connection connection, DoneClaim claim) throws SQLException {
        if (!dialect.settle(connection, claim.settlement())) {
            throw new IllegalStateException("A claim is gone from the transaction that has just made it");
        }
    }
}

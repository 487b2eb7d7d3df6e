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
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Inserts the settled claims of a group inside its transaction: those with one digest in one statement, then those with
 * aliases or a second claim one by one. It never waits for another transaction.
 */
final class GroupInserts {
    private final TransactionDialect dialect;
    private final AliasedTransactionalClaims aliased;

    GroupInserts(TransactionDialect dialect, AliasedTransactionalClaims aliased) {
        this.dialect = dialect;
        this.aliased = aliased;
    }

    /** Returns a result for each new claim and for existing claims that were read. The others have to be read. */
    Map<ClaimRef, RowResult> insert(Connection connection, List<? extends SubmittedRow<?, ?>> rows)
            throws SQLException {
        Map<ClaimRef, RowResult> results = new HashMap<>();
        List<SettledClaim> plain = rows.stream()
                .filter(SubmittedRow::isPlain)
                .<SettledClaim>map(SubmittedRow::claim)
                .toList();
        if (!plain.isEmpty()) {
            dialect.insertSettled(connection, plain).forEach(ref -> results.put(ref, new RowResult.Written()));
        }
        if (plain.size() < rows.size()) {
            insertOthers(connection, rows, results);
        }
        return results;
    }

    /** Reads the existing rows once for all claims, so that duplicates cost no more. */
    private void insertOthers(
            Connection connection, List<? extends SubmittedRow<?, ?>> rows, Map<ClaimRef, RowResult> results)
            throws SQLException {
        Set<ClaimRef> refs = new TreeSet<>();
        for (SubmittedRow<?, ?> row : rows) {
            if (!row.isPlain()) {
                refs.addAll(row.claim().insert().refs());
            }
        }
        Map<ClaimRef, Snapshot> unlocked = aliased.rows(connection, refs);
        for (SubmittedRow<?, ?> row : rows) {
            SubmittedRow.SecondClaim second = row.second();
            if (second != null) {
                insertBoth(connection, row.claim(), second, unlocked, results);
            } else if (!row.isPlain() && acquired(connection, row.claim(), unlocked, results)) {
                settle(connection, row.claim());
                results.put(row.ref(), new RowResult.Written());
            }
        }
    }

    /** Inserts both claims or none. If the second is not available now, the first is undone, including its locks. */
    private void insertBoth(
            Connection connection,
            SettledClaim first,
            SubmittedRow.SecondClaim second,
            Map<ClaimRef, Snapshot> unlocked,
            Map<ClaimRef, RowResult> results)
            throws SQLException {
        Savepoint before = connection.setSavepoint();
        if (!acquired(connection, first, unlocked, results)) {
            // Not undone: a duplicate may have added an alias.
            connection.releaseSavepoint(before);
            return;
        }
        ClaimRef ref = first.insert().ref();
        Verdict verdict =
                aliased.acquireLeased(connection, second.claim().insert()).orElse(null);
        Snapshot existing = verdict instanceof Verdict.Refused refused ? refused.claim() : null;
        if (verdict instanceof Verdict.Applied) {
            settle(connection, second.claim());
            settle(connection, first);
            results.put(ref, new RowResult.Written());
        } else if (isFinal(existing)) {
            settle(connection, second.firstIfTaken());
            results.put(ref, new RowResult.SecondTaken());
        } else {
            connection.rollback(before);
            if (existing != null && existing.reclaimable()) {
                results.put(ref, new RowResult.NeedsOwnTransaction());
            }
            return;
        }
        connection.releaseSavepoint(before);
    }

    private static boolean isFinal(@Nullable Snapshot existing) {
        return existing != null
                && !existing.reclaimable()
                && (existing.status() == Status.SUCCEEDED || existing.status() == Status.FAILED);
    }

    private boolean acquired(
            Connection connection,
            SettledClaim claim,
            Map<ClaimRef, Snapshot> unlocked,
            Map<ClaimRef, RowResult> results)
            throws SQLException {
        Verdict verdict = aliased.acquire(connection, claim.insert(), unlocked).orElse(null);
        if (verdict instanceof Verdict.Refused refused && refused.claim() != null) {
            results.put(claim.insert().ref(), new RowResult.Existing(refused.claim()));
        }
        return verdict instanceof Verdict.Applied;
    }

    private void settle(Connection connection, SettledClaim claim) throws SQLException {
        if (!dialect.settle(connection, claim.settlement())) {
            throw new IllegalStateException("A claim disappeared from the transaction that inserted it");
        }
    }
}

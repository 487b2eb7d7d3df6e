// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.StoredResult;
import dev.semel.jdbc.sql.Connections;
import dev.semel.spi.Alias;
import dev.semel.spi.AliasPlan;
import dev.semel.spi.ClaimStore;
import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import dev.semel.spi.Verdict;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the rows for an {@link AliasPlan} and executes it inside a given transaction. Writes are optimistic and use the
 * order of all batches: inserts sorted by digest, then compare-and-set updates sorted by digest. If a row is not the
 * one that was read, {@link RowChanged} is thrown and the caller must roll back.
 */
final class AliasPlanRunner {
    private final AliasStatements statements;

    AliasPlanRunner(AliasStatements statements) {
        this.statements = statements;
    }

    /** Reads rows as they are stored. */
    interface Reader {
        void read(Connection connection, Collection<ClaimRef> refs, int largest, Map<ClaimRef, Snapshot> seen)
                throws SQLException;
    }

    /**
     * Reads these rows, and the records that they point to, as they are stored. Omits large results if several rows are
     * read.
     */
    static Map<ClaimRef, Snapshot> rows(Reader reader, Connection connection, Collection<ClaimRef> refs)
            throws SQLException {
        Map<ClaimRef, Snapshot> rows = new HashMap<>();
        int largest = ClaimStore.largestResult(refs.size());
        reader.read(connection, refs, largest, rows);
        List<ClaimRef> targets = new ArrayList<>();
        for (Snapshot row : rows.values()) {
            ClaimRef target = row.aliasOf();
            if (target != null && !refs.contains(target)) {
                targets.add(target);
            }
        }
        if (!targets.isEmpty()) {
            reader.read(connection, targets, largest, rows);
        }
        return rows;
    }

    Map<ClaimRef, Snapshot> rows(Connection connection, Collection<ClaimRef> refs) throws SQLException {
        return rows(statements::read, connection, refs);
    }

    /** Whether the stored rows are the answer and nothing has to be written. */
    static boolean needsNoWrite(AliasPlan plan) {
        return plan instanceof AliasPlan.Link link && link.pointers().isEmpty();
    }

    /** Executes the plan inside a transaction. */
    Verdict execute(Connection connection, Command.Insert insert, AliasPlan plan, Map<ClaimRef, Snapshot> rows)
            throws SQLException {
        if (plan instanceof AliasPlan.Conflict conflict) {
            note(connection, conflict);
            return conflict.verdict(insert);
        }
        if (plan instanceof AliasPlan.Link link) {
            write(connection, pointers(insert, link.pointers(), link.record().ref(), rows));
            return Verdict.of(insert, link.record());
        }
        List<Write> writes = pointers(insert, ((AliasPlan.Claim) plan).pointers(), insert.ref(), rows);
        writes.add(record(insert, rows.get(insert.ref())));
        write(connection, writes);
        Map<ClaimRef, Snapshot> after = new HashMap<>();
        statements.read(connection, List.of(insert.ref()), 0, after);
        return Verdict.of(insert, after.get(insert.ref()));
    }

    /** Returns the verdict with its omitted result, if that has at most this many bytes. */
    Verdict withResult(Connection connection, Verdict verdict, int largest) throws SQLException {
        return withResult(statements::read, connection, verdict, largest);
    }

    static Verdict withResult(Reader reader, Connection connection, Verdict verdict, int largest) throws SQLException {
        Snapshot seen = verdict instanceof Verdict.Refused refused ? refused.claim() : null;
        StoredResult result = seen == null ? null : seen.result();
        if (seen == null || result == null || !result.isOmitted() || result.size() > largest) {
            return verdict;
        }
        Map<ClaimRef, Snapshot> rows = new HashMap<>();
        reader.read(connection, List.of(seen.ref()), largest, rows);
        Snapshot now = rows.get(seen.ref());
        if (now == null || !now.token().equals(seen.token()) || now.resultOmitted()) {
            throw new RowChanged(seen.ref());
        }
        return new Verdict.Refused(now, ((Verdict.Refused) verdict).conflict());
    }

    private static void write(Connection connection, List<Write> writes) throws SQLException {
        writes.sort(Comparator.comparing(Write::onExisting).thenComparing(Write::ref));
        for (Write write : writes) {
            if (write.statement().run(connection) != 1) {
                throw new RowChanged(write.ref());
            }
        }
    }

    private Write record(Command.Insert insert, @Nullable Snapshot existing) {
        if (existing == null) {
            return new Write(insert.ref(), false, connection -> statements.write(connection, insert));
        }
        // The row has expired or is a pointer without a record; the take-over checks that again.
        Command.TakeOver takeOver = new Command.TakeOver(
                insert.ref(), existing.token(), insert.token(), insert.record(), insert.fingerprint(), insert.terms());
        return new Write(insert.ref(), true, connection -> statements.write(connection, takeOver));
    }

    private List<Write> pointers(
            Command.Insert insert, List<Alias> aliases, ClaimRef record, Map<ClaimRef, Snapshot> rows) {
        List<Write> writes = new ArrayList<>();
        for (Alias alias : aliases) {
            Snapshot existing = rows.get(alias.ref());
            ClaimParameters parameters = ClaimParameters.of(alias, insert, record, existing);
            writes.add(new Write(
                    alias.ref(),
                    existing != null,
                    connection -> statements.writePointer(connection, existing == null, parameters)));
        }
        return writes;
    }

    /** Each record keeps its first conflict. */
    private void note(Connection connection, AliasPlan.Conflict conflict) throws SQLException {
        List<Snapshot> both = new ArrayList<>(List.of(conflict.record(), conflict.other()));
        both.sort(Comparator.comparing(Snapshot::ref));
        ClaimRef smaller = both.get(0).ref();
        ClaimRef larger = both.get(1).ref();
        statements.noteConflict(
                connection,
                ClaimParameters.of(smaller).put("other", larger.digest().bytes()));
        statements.noteConflict(
                connection,
                ClaimParameters.of(larger).put("other", smaller.digest().bytes()));
    }

    /** A row to write, and whether it exists. */
    private record Write(ClaimRef ref, boolean onExisting, Connections.Work<Integer> statement) {}

    /** Another caller changed a row after it was read. */
    static final class RowChanged extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final transient ClaimRef ref;

        RowChanged(ClaimRef ref) {
            super("A row changed after it was read", null, false, false);
            this.ref = ref;
        }

        ClaimRef ref() {
            return ref;
        }
    }
}

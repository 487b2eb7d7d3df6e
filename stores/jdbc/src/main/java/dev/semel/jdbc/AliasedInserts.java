// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.claim.Alias;
import dev.semel.claim.AliasPlan;
import dev.semel.claim.ClaimRef;
import dev.semel.claim.Command;
import dev.semel.claim.Snapshot;
import dev.semel.claim.Verdict;
import dev.semel.jdbc.sql.Connections;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Inserts with aliases, each in a transaction of its own. What is there is read first, without locks: a duplicate costs
 * no more. What must be written is then written optimistically, in the order of all batches: inserts sorted by digest,
 * then compare-and-set updates sorted by digest. If one of them meets another row than was read, all is rolled back
 * and read again: so nobody waits for a lock in another order than others do.
 */
final class AliasedInserts {
    private static final int ROUNDS = 16;

    private final Dialect dialect;
    private final Duration statementTimeout;

    AliasedInserts(Dialect dialect, Duration statementTimeout) {
        this.dialect = dialect;
        this.statementTimeout = statementTimeout;
    }

    Verdict apply(Connection connection, Command.Insert insert) throws SQLException {
        for (int round = 0; round < ROUNDS; round++) {
            Map<ClaimRef, Snapshot> rows = rows(connection, insert.refs());
            AliasPlan plan = AliasPlan.of(insert, rows);
            Verdict verdict = carryOut(connection, insert, plan, rows);
            if (verdict != null) {
                return verdict;
            }
        }
        throw new SQLTransactionRollbackException("The rows of an aliased claim kept changing", "40001");
    }

    /** These rows and those that they lead to, as they are stored. */
    private Map<ClaimRef, Snapshot> rows(Connection connection, List<ClaimRef> refs) throws SQLException {
        Map<ClaimRef, Snapshot> rows = new HashMap<>();
        dialect.read(connection, refs, rows);
        List<ClaimRef> targets = new ArrayList<>();
        for (Snapshot row : rows.values()) {
            ClaimRef target = row.aliasOf();
            if (target != null && !refs.contains(target)) {
                targets.add(target);
            }
        }
        if (!targets.isEmpty()) {
            dialect.read(connection, targets, rows);
        }
        return rows;
    }

    /** The verdict, or null if somebody else was faster. */
    private @Nullable Verdict carryOut(
            Connection connection, Command.Insert insert, AliasPlan plan, Map<ClaimRef, Snapshot> rows)
            throws SQLException {
        if (plan instanceof AliasPlan.Conflict conflict) {
            return dialect.inTransaction(
                    connection,
                    inTransaction -> {
                        note(inTransaction, conflict);
                        return conflict.verdict(insert);
                    },
                    statementTimeout);
        }
        if (plan instanceof AliasPlan.Link link && link.pointers().isEmpty()) {
            return Verdict.of(insert, link.record());
        }
        try {
            return dialect.inTransaction(
                    connection,
                    inTransaction -> {
                        if (plan instanceof AliasPlan.Link link) {
                            write(
                                    inTransaction,
                                    pointers(
                                            insert,
                                            link.pointers(),
                                            link.record().ref(),
                                            rows));
                            return Verdict.of(insert, link.record());
                        }
                        List<Write> writes = new ArrayList<>(
                                pointers(insert, ((AliasPlan.Claim) plan).pointers(), insert.ref(), rows));
                        writes.add(record(insert, rows.get(insert.ref())));
                        write(inTransaction, writes);
                        Map<ClaimRef, Snapshot> after = new HashMap<>();
                        dialect.read(inTransaction, List.of(insert.ref()), after);
                        return Verdict.of(insert, after.get(insert.ref()));
                    },
                    statementTimeout);
        } catch (Overtaken e) {
            return null;
        }
    }

    private static void write(Connection connection, List<Write> writes) throws SQLException {
        writes.sort(Comparator.comparing(Write::onExisting).thenComparing(Write::ref));
        for (Write write : writes) {
            if (write.statement().run(connection) != 1) {
                throw new Overtaken();
            }
        }
    }

    private Write record(Command.Insert insert, @Nullable Snapshot there) {
        if (there == null) {
            return new Write(insert.ref(), false, connection -> dialect.write(connection, insert));
        }
        // Expired or leading nowhere, which the take-over checks again.
        Command.TakeOver takeOver = new Command.TakeOver(
                insert.ref(), there.token(), insert.token(), insert.record(), insert.fingerprint(), insert.terms());
        return new Write(insert.ref(), true, connection -> dialect.write(connection, takeOver));
    }

    private List<Write> pointers(
            Command.Insert insert, List<Alias> aliases, ClaimRef record, Map<ClaimRef, Snapshot> rows) {
        List<Write> writes = new ArrayList<>();
        for (Alias alias : aliases) {
            Snapshot there = rows.get(alias.ref());
            Parameters parameters = Parameters.of(alias, insert, record, there);
            writes.add(new Write(
                    alias.ref(),
                    there != null,
                    connection -> dialect.writePointer(connection, there == null, parameters)));
        }
        return writes;
    }

    /** The first conflict of each stays noted. */
    private void note(Connection connection, AliasPlan.Conflict conflict) throws SQLException {
        List<Snapshot> both = new ArrayList<>(List.of(conflict.record(), conflict.other()));
        both.sort(Comparator.comparing(Snapshot::ref));
        ClaimRef smaller = both.get(0).ref();
        ClaimRef larger = both.get(1).ref();
        dialect.noteConflict(
                connection, Parameters.of(smaller).put("other", larger.digest().bytes()));
        dialect.noteConflict(
                connection, Parameters.of(larger).put("other", smaller.digest().bytes()));
    }

    /** One row to be written, and whether it is there. */
    private record Write(ClaimRef ref, boolean onExisting, Connections.Work<Integer> statement) {}

    /** Somebody else wrote a row between its reading and now. */
    private static final class Overtaken extends RuntimeException {
        private static final long serialVersionUID = 1;

        Overtaken() {
            super("A row changed after it was read", null, false, false);
        }
    }
}

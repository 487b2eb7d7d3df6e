// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.OwnerToken;
import dev.semel.claim.RecordId;
import dev.semel.claim.StoreException;
import dev.semel.jdbc.sql.ListSql;
import dev.semel.jdbc.sql.SqlFailures;
import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import dev.semel.spi.Verdict;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The inserts and settlements of a batch on MariaDB: one statement for each kind (or a few, {@link PreparedSizes#parts}), in
 * auto-commit mode. So there is no transaction to begin, to end or to bound: a host that vanishes leaves no locks. Commands are
 * independent of each other and safe to send again, so a batch need not be atomic.
 *
 * <p>A statement about many claims never waits for a lock, so two of them cannot deadlock. It fails as busy instead.
 */
final class MariaDbSteps {
    private static final ListSql INSERT_AT_ONCE =
            MariaDbSql.INSERT_RETURNING.after(MariaDbTransactions.WITHOUT_WAITING);

    private final MariaDbDialect dialect;
    private final Connection connection;
    private final CommandBatch batch;
    private final String bound;

    MariaDbSteps(MariaDbDialect dialect, Connection connection, CommandBatch batch, Duration statementTimeout) {
        this.dialect = dialect;
        this.connection = connection;
        this.batch = batch;
        long seconds = batch.lockWait() != null
                ? 0
                : Math.max(1, statementTimeout.dividedBy(2).toSeconds());
        this.bound = "SET STATEMENT innodb_lock_wait_timeout = " + seconds + " FOR ";
    }

    /** Whether {@link #run} sends this command. */
    static boolean runs(Command command) {
        return command instanceof Command.Insert || command instanceof Command.Settle;
    }

    void run() throws SQLException {
        List<Command.Insert> inserts = batch.only(Command.Insert.class);
        for (List<Command.Insert> part : PreparedSizes.parts(connection, inserts)) {
            insert(part);
        }
        settle(batch.only(Command.Settle.class));
    }

    /**
     * The insert returns the row that exists if the key is taken. For that it locks the row, without waiting. If somebody else has
     * locked it, the taken keys are read without locks, and only the others are inserted.
     */
    private void insert(List<Command.Insert> inserts) throws SQLException {
        if (inserts.isEmpty()) {
            return;
        }
        try {
            insertReturning(INSERT_AT_ONCE, inserts);
        } catch (SQLException e) {
            if (SqlFailures.kindOf(e) != StoreException.Kind.BUSY) {
                throw e;
            }
            // Nothing was inserted: the statement failed as a whole.
            dialect.readInto(
                    connection, inserts.stream().map(Command.Insert::ref).toList(), batch);
            Set<ClaimRef> open = new HashSet<>(batch.open());
            List<Command.Insert> absent = inserts.stream()
                    .filter(insert -> open.contains(insert.ref()))
                    .toList();
            if (!absent.isEmpty()) {
                insertReturning(MariaDbSql.INSERT_RETURNING.after(bound), absent);
            }
        }
    }

    private void insertReturning(ListSql sql, List<Command.Insert> inserts) throws SQLException {
        List<ClaimParameters> rows = new ArrayList<>(inserts.size());
        Map<OwnerToken, Command.Insert> byToken = new HashMap<>();
        for (Command.Insert insert : inserts) {
            rows.add(ClaimParameters.of(insert));
            byToken.put(insert.token(), insert);
        }
        rows.get(0).put("largest", batch.largestResult());
        // A row that is inserted twice changes nothing the second time.
        try (PreparedStatement statement = PreparedSizes.prepare(connection, sql, rows);
                ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                returned(row, byToken);
            }
        }
    }

    /** Only its own insert has written a row with its token, so most columns of that row are known. */
    private void returned(ResultSet row, Map<OwnerToken, Command.Insert> byToken) throws SQLException {
        Command.Insert insert = byToken.get(new OwnerToken(row.getBytes("claim_nonce")));
        if (insert == null || !"IN_PROGRESS".equals(row.getString("status"))) {
            Snapshot claim = ClaimRows.snapshot(row);
            batch.found(claim.ref(), claim);
            return;
        }
        batch.applied(
                insert.token(),
                insert.scope(),
                insert.record(),
                row.getInt("attempt_count"),
                row.getLong("fence"),
                Duration.of(Math.max(0, row.getLong("lease_left")), ChronoUnit.MICROS));
    }

    /**
     * A verdict has values of the row that an update cannot return. They belong to the owner's token. Either the owner knows them,
     * or they are read before the update. Only if the update changed all claims, these values are the verdicts. Otherwise the
     * claims keep no verdict here and are read again.
     */
    private void settle(List<Command.Settle> settlements) throws SQLException {
        Map<OwnerToken, Verdict.Applied> known = new HashMap<>();
        List<Command.Settle> unknown = new ArrayList<>();
        for (Command.Settle settle : settlements) {
            if (settle.granted() == null) {
                unknown.add(settle);
            } else {
                known.put(settle.token(), settle.granted());
            }
        }
        if (!unknown.isEmpty()) {
            readOwned(unknown, known);
        }
        List<Command.Settle> owned = settlements.stream()
                .filter(settle -> known.containsKey(settle.token()))
                .toList();
        if (owned.isEmpty()) {
            return;
        }
        int places = PreparedSizes.of(connection, owned.size());
        if (MariaDbSettling.settle(connection, bound, owned, places) < owned.size()) {
            // Somebody else settled a claim or took it over, and the count does not tell which one.
            return;
        }
        for (Command.Settle settle : owned) {
            Verdict.Applied row = Objects.requireNonNull(known.get(settle.token()));
            batch.applied(settle.token(), row.scope(), row.record(), row.attempt(), row.fence(), Duration.ZERO);
        }
    }

    /** Reads the claims that can be settled, by their tokens. A token that a claim does not have any more never returns. */
    private void readOwned(List<Command.Settle> settlements, Map<OwnerToken, Verdict.Applied> owned)
            throws SQLException {
        Map<ClaimRef, OwnerToken> tokens = new HashMap<>();
        settlements.forEach(settle -> tokens.put(settle.ref(), settle.token()));
        List<ClaimParameters> rows = settlements.stream()
                .map(settle -> ClaimParameters.of(settle.ref()))
                .toList();
        try (PreparedStatement statement = PreparedSizes.prepare(connection, MariaDbSql.READ_OPEN, rows);
                ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                ClaimRef ref = ClaimRows.ref(row);
                OwnerToken token = new OwnerToken(row.getBytes("claim_nonce"));
                if (token.equals(tokens.get(ref))) {
                    owned.put(
                            token,
                            new Verdict.Applied(
                                    ref,
                                    row.getString("scope"),
                                    new RecordId(row.getBytes("record_id")),
                                    row.getInt("attempt_count"),
                                    row.getLong("fence"),
                                    Duration.ZERO));
                }
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import static java.util.stream.Collectors.partitioningBy;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.OwnerToken;
import dev.semel.claim.RecordId;
import dev.semel.claim.StoreException;
import dev.semel.jdbc.sql.SqlFailures;
import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The inserts and settlements of a batch on MariaDB: one statement for each kind, in auto-commit mode. So there is no transaction
 * to begin, to end or to bound: a host that vanishes leaves no locks. Commands are independent of each other and safe to send
 * again, so a batch need not be atomic.
 *
 * <p>A statement about many claims never waits for a lock, so two of them cannot deadlock. It fails as busy instead.
 */
final class MariaDbSteps {
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
        insert(batch.only(Command.Insert.class));
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
            insertReturning(MariaDbTransactions.WITHOUT_WAITING, inserts);
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
                insertReturning(bound, absent);
            }
        }
    }

    private void insertReturning(String prefix, List<Command.Insert> inserts) throws SQLException {
        List<ClaimParameters> rows = inserts.stream().map(ClaimParameters::of).toList();
        rows.get(0).put("largest", batch.largestResult());
        Map<ClaimRef, Snapshot> found = new HashMap<>();
        try (PreparedStatement statement =
                MariaDbSql.INSERT_RETURNING.after(prefix).prepareAll(connection, rows)) {
            ClaimRows.collect(statement, found);
        }
        found.forEach(batch::found);
    }

    /**
     * A verdict has values of the row that an update cannot return. They are read before it, and belong to the owner's token:
     * only claims that still had it are settled, and if the update changed all of them, the values still hold. The others keep
     * no verdict here and are read again.
     */
    private void settle(List<Command.Settle> settlements) throws SQLException {
        if (settlements.isEmpty()) {
            return;
        }
        Map<OwnerToken, Owned> owned = owned(settlements);
        Map<Boolean, List<Command.Settle>> bySize = settlements.stream()
                .filter(settle -> owned.containsKey(settle.token()))
                .collect(partitioningBy(
                        settle -> settle.result() != null && settle.result().size() > MariaDbSql.LARGEST_LISTED));
        settle(bySize.getOrDefault(false, List.of()), owned);
        // Large results are sent one by one: see MariaDbSql.SETTLE_MANY.
        for (Command.Settle large : bySize.getOrDefault(true, List.of())) {
            settle(List.of(large), owned);
        }
    }

    private void settle(List<Command.Settle> settlements, Map<OwnerToken, Owned> owned) throws SQLException {
        if (settlements.isEmpty()) {
            return;
        }
        List<ClaimParameters> rows =
                settlements.stream().map(ClaimParameters::of).toList();
        try (PreparedStatement statement = rows.size() == 1
                ? MariaDbSql.SETTLE.after(bound).prepare(connection, rows.get(0))
                : MariaDbSql.SETTLE_MANY.after(bound).prepareAll(connection, rows)) {
            if (statement.executeUpdate() < rows.size()) {
                // Somebody took a claim over since it was read, and the count does not tell which.
                return;
            }
        }
        for (Command.Settle settle : settlements) {
            Owned row = Objects.requireNonNull(owned.get(settle.token()));
            batch.applied(settle.token(), row.scope(), row.record(), row.attempt(), row.fence(), Duration.ZERO);
        }
    }

    /** The claims that can be settled, by their tokens. A token that a claim does not have any more never returns. */
    private Map<OwnerToken, Owned> owned(List<Command.Settle> settlements) throws SQLException {
        List<ClaimParameters> rows = settlements.stream()
                .map(settle -> ClaimParameters.of(settle.ref()))
                .toList();
        Map<OwnerToken, Owned> found = new HashMap<>();
        try (PreparedStatement statement = MariaDbSql.READ_OPEN.prepareAll(connection, rows);
                ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                found.put(
                        new OwnerToken(row.getBytes("claim_nonce")),
                        new Owned(
                                row.getString("scope"),
                                new RecordId(row.getBytes("record_id")),
                                row.getInt("attempt_count"),
                                row.getLong("fence")));
            }
        }
        return found;
    }

    /** What does not change as long as the row has its token. */
    private record Owned(String scope, RecordId record, int attempt, long fence) {}
}

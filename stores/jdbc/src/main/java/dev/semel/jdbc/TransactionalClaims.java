// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.TransactionProtocol;
import dev.semel.Work;
import dev.semel.claim.AliasedKey;
import dev.semel.claim.ClaimKey;
import dev.semel.claim.ClaimRef;
import dev.semel.claim.Fingerprint;
import dev.semel.jdbc.TransactionDialect.Stage;
import dev.semel.jdbc.sql.SqlFailures;
import dev.semel.jdbc.sql.TransactionBounds;
import dev.semel.key.Secrets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Executes work exactly once if its effects are in the same database: claim, effects and result are one commit. Without
 * that commit nothing has happened, and the next caller runs the work.
 *
 * <pre>{@code
 * Outcome<String> outcome = claims.inTransaction(TRANSFER, TRANSFER.key("acme", "order-17"), Fingerprint.NONE,
 *         (connection, run) -> insertTransfer(connection, order));
 * }</pre>
 *
 * <p>{@link #execute} works on the caller's connection and in the caller's transaction. It never commits, rolls back or
 * closes. Use it with Spring's {@code @Transactional}. {@link #inTransaction} also opens and commits the transaction.
 *
 * <p>Callers never wait inside the database. A duplicate of an open transaction returns {@link Outcome.InProgress} at
 * once, and its own transaction stays usable. A key claimed here and the same key claimed through {@code Semel} are two keys, so an
 * open transaction does not delay the engine. Use one of the two for one operation. On MySQL the session's isolation level must be
 * READ COMMITTED, which is not the server's default.
 *
 * <p>To rotate a secret, pass {@link Secrets}. {@link JdbcClaimStore#onlyFoundBy} shows when the old secret can be
 * removed.
 *
 * <p>Effects outside this database are not covered; send {@code run.childKey(name)} with them. Supported on PostgreSQL,
 * MariaDB, MySQL 8 and SQLite. Thread-safe.
 */
public final class TransactionalClaims {
    private static final Duration ASK_AGAIN = Duration.ofSeconds(1);

    private final DataSource dataSource;
    private final Dialect dialect;
    private final TransactionDialect transactions;
    private final int largestResult;
    private final AliasedTransactionalClaims aliased;
    private final boolean rotating;
    private final TransactionProtocol protocol;

    private TransactionalClaims(DataSource dataSource, Dialect dialect, Secrets secrets) {
        this.dataSource = dataSource;
        this.dialect = dialect;
        this.rotating = secrets.all().size() > 1;
        this.protocol = new TransactionProtocol(secrets);
        try (Connection connection = dataSource.getConnection()) {
            this.transactions = TransactionDialect.of(dialect, connection);
            this.largestResult = dialect.largestResult(connection);
        } catch (SQLException e) {
            throw SqlFailures.translate(e);
        }
        this.aliased = new AliasedTransactionalClaims(transactions);
    }

    /**
     * Returns claims in a database that already has the schema.
     *
     * @param secrets those of the engine, if the application has one
     * @throws SchemaException if the schema is missing or incomplete; the message contains the missing statements
     */
    public static TransactionalClaims on(DataSource dataSource, Secrets secrets) {
        Schema schema = Schema.of(dataSource);
        schema.check();
        return new TransactionalClaims(dataSource, schema.dialect(), secrets);
    }

    /** Returns claims in the database of this store; for {@link JdbcClaimStore#sqlite}, on its single writer. */
    public static TransactionalClaims on(JdbcClaimStore store, Secrets secrets) {
        return new TransactionalClaims(store.dataSource(), store.dialect(), secrets);
    }

    /** As {@link #execute(Connection, Operation, ClaimKey, Fingerprint, Work)}, for keys without a fingerprint. */
    public <T extends @Nullable Object> Outcome<T> execute(
            Connection connection, Operation<T> operation, ClaimKey key, Work<T> work) {
        return execute(connection, operation, key, Fingerprint.NONE, work);
    }

    /**
     * Claims, runs and settles inside the transaction that the caller has begun on this connection. Nothing is final
     * before the caller's commit, so do not answer earlier. If the work throws, its writes are undone; its failure is
     * stored if the caller commits.
     *
     * @return the outcome, without waiting: a duplicate of an open transaction is {@link Outcome.InProgress}
     * @throws IllegalStateException if the connection is in auto-commit mode, if its isolation level is not supported, or if this
     *     thread is already running this key
     * @throws TransactionAbortedException if the transaction can only be rolled back. Under REPEATABLE READ and
     *     SERIALIZABLE this includes a duplicate that committed after this transaction's first statement; run the
     *     transaction again
     */
    public <T extends @Nullable Object> Outcome<T> execute(
            Connection connection, Operation<T> operation, ClaimKey key, Fingerprint fingerprint, Work<T> work) {
        return execute(connection, operation, AliasedKey.of(key), fingerprint, work);
    }

    /**
     * As {@link #execute(Connection, Operation, ClaimKey, Fingerprint, Work)}, for a key with aliases. Callers that
     * claim by any of these keys share one claim.
     */
    public <T extends @Nullable Object> Outcome<T> execute(
            Connection connection, Operation<T> operation, AliasedKey key, Fingerprint fingerprint, Work<T> work) {
        requireTransaction(connection);
        return protocol.execute(callers(connection), operation, key, fingerprint, RunningWork.of(connection, work));
    }

    /** As {@link #execute}, for a key that {@code Semel} claims too. Only for short transactions of this module. */
    <T extends @Nullable Object> Outcome<T> executeLeased(
            Connection connection, Operation<T> operation, ClaimKey key, Work<T> work) {
        return protocol.executeLeased(
                new LeasedTransaction(connection, callers(connection), transactions),
                operation,
                AliasedKey.of(key),
                Fingerprint.NONE,
                RunningWork.of(connection, work));
    }

    private JdbcTransaction callers(Connection connection) {
        Stage stage = RunningWork.isAround(connection) ? Stage.NESTED : Stage.BEGUN;
        return new JdbcTransaction(connection, transactions.workOn(connection, stage), aliased, largestResult);
    }

    private static void requireTransaction(Connection connection) {
        Objects.requireNonNull(connection, "A connection must not be null");
        boolean autoCommit;
        try {
            autoCommit = connection.getAutoCommit();
        } catch (SQLException e) {
            throw TransactionAbortedException.of(e);
        }
        if (autoCommit) {
            throw new IllegalStateException(
                    "The connection is in auto-commit mode, so it has no transaction to claim in: call"
                            + " setAutoCommit(false), or use inTransaction. With Spring, get the connection from"
                            + " DataSourceUtils.getConnection inside @Transactional");
        }
    }

    /** As {@link #inTransaction(Operation, ClaimKey, Fingerprint, TransactionWork)}, for keys without a fingerprint. */
    public <T extends @Nullable Object> Outcome<T> inTransaction(
            Operation<T> operation, ClaimKey key, TransactionWork<T> work) {
        return inTransaction(operation, key, Fingerprint.NONE, work);
    }

    /**
     * Opens a transaction, claims, runs, settles and commits. A duplicate waits as long as the operation allows ({@link
     * Operation#waitingUpTo}) and holds no connection while it waits.
     *
     * <p>After a conflict with another transaction, and after a commit without an answer, everything runs again: the
     * work may be called several times, but its effects are committed once. {@link Outcome.Unavailable} means that
     * nothing was committed. {@link Outcome.Unsettled} means that the outcome of the commit is unknown; call again to
     * learn it.
     *
     * @throws IllegalStateException if the data source returns a connection with auto-commit off
     * @throws TransactionAbortedException if the work ended the transaction, or continued after a failed statement
     */
    public <T extends @Nullable Object> Outcome<T> inTransaction(
            Operation<T> operation, ClaimKey key, Fingerprint fingerprint, TransactionWork<T> work) {
        return inTransaction(operation, AliasedKey.of(key), fingerprint, work);
    }

    /** As {@link #inTransaction(Operation, ClaimKey, Fingerprint, TransactionWork)}, for a key with aliases. */
    public <T extends @Nullable Object> Outcome<T> inTransaction(
            Operation<T> operation, AliasedKey key, Fingerprint fingerprint, TransactionWork<T> work) {
        return protocol.retryWhileInProgress(operation, () -> inOneTransaction(operation, key, fingerprint, work));
    }

    private <T extends @Nullable Object> Outcome<T> inOneTransaction(
            Operation<T> operation, AliasedKey key, Fingerprint fingerprint, TransactionWork<T> work) {
        // No bounds: the user's work may wait and compute between its statements as long as it needs.
        return new RetriedTransaction<T>(
                        dataSource, on -> own(on, Stage.FRESH), linksAliases(key), TransactionBounds.none())
                .run(transaction -> executeIn(transaction, operation, key, fingerprint, work));
    }

    /**
     * As {@link #inTransaction}, but never waits and uses the bounds of a group's transaction, because lanes wait for
     * its rows.
     *
     * @param inProgress asked after the work: whether another caller was in progress, so that everything must be undone
     */
    <T extends @Nullable Object> Outcome<T> inGroupTransaction(
            Operation<T> operation,
            AliasedKey key,
            Fingerprint fingerprint,
            BooleanSupplier inProgress,
            TransactionWork<T> work) {
        return new RetriedTransaction<T>(
                        dataSource, on -> own(on, Stage.BEGUN), linksAliases(key), transactions.bounds())
                .run(transaction -> {
                    Outcome<T> outcome = executeIn(transaction, operation, key, fingerprint, work);
                    return inProgress.getAsBoolean() ? undone(transaction.connection()) : outcome;
                });
    }

    private CommittingTransaction own(Connection connection, Stage stage) {
        return new CommittingTransaction(connection, transactions.workOn(connection, stage), aliased, largestResult);
    }

    private <T extends @Nullable Object> Outcome<T> executeIn(
            CommittingTransaction transaction,
            Operation<T> operation,
            AliasedKey key,
            Fingerprint fingerprint,
            TransactionWork<T> work) {
        Connection connection = transaction.connection();
        return protocol.execute(
                transaction, operation, key, fingerprint, RunningWork.of(connection, run -> work.run(connection, run)));
    }

    private static <T extends @Nullable Object> Outcome<T> undone(Connection connection) {
        try {
            connection.rollback();
        } catch (SQLException e) {
            throw TransactionAbortedException.of(e);
        }
        return new Outcome.InProgress<>(ASK_AGAIN);
    }

    private boolean linksAliases(AliasedKey key) {
        return rotating || !key.aliases().isEmpty();
    }

    /** Returns the reference of this key's claim under the current secret, to look it up. */
    public ClaimRef refOf(Operation<?> operation, ClaimKey key) {
        return protocol.refOf(operation, key);
    }

    TransactionProtocol protocol() {
        return protocol;
    }

    DataSource dataSource() {
        return dataSource;
    }

    Dialect dialect() {
        return dialect;
    }

    TransactionDialect transactions() {
        return transactions;
    }

    AliasedTransactionalClaims aliased() {
        return aliased;
    }

    /** Whether several secrets are active, so that every claim has several digests. */
    boolean rotating() {
        return rotating;
    }

    int largestResult() {
        return largestResult;
    }
}

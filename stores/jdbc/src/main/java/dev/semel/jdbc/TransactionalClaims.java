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
import dev.semel.jdbc.sql.SqlFailures;
import dev.semel.jdbc.sql.TransactionBounds;
import dev.semel.key.Secret;
import dev.semel.key.Secrets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Exactly once, for effects in the same database: the claim, what the work writes and the result are one commit. If it
 * does not come, none of it has happened, and the next caller runs.
 *
 * <pre>{@code
 * Outcome<String> outcome = claims.inTransaction(TRANSFER, TRANSFER.key("acme", "order-17"), Fingerprint.NONE,
 *         (connection, run) -> insertTransfer(connection, order));
 * }</pre>
 *
 * <p>{@link #execute} does it on a connection of the caller's, inside a transaction of the caller's, which it never
 * commits, rolls back or closes; that is the one for Spring's {@code @Transactional}. {@link #inTransaction} also opens
 * and commits.
 *
 * <p>Nobody waits inside the database. A duplicate of a transaction that is still open is told at once that it is in
 * progress, and its own transaction goes on. A key claimed here and the same key claimed through {@code Semel} are two
 * keys: an open transaction never holds up the engine. Use one of the two for one operation.
 *
 * <p>A secret is rotated as that of the engine is: give {@link Secrets}, and {@link JdbcClaimStore#onlyFoundBy} says when
 * the old one may go.
 *
 * <p>Effects outside this database are not covered: for those, send {@code run.childKey(name)} along. For PostgreSQL,
 * MariaDB and SQLite; MySQL is refused, because it cannot insert without waiting. Safe for use by many threads.
 */
public final class TransactionalClaims {
    private static final Duration ASK_AGAIN = Duration.ofSeconds(1);

    private final DataSource dataSource;
    private final Dialect dialect;
    private final TransactionDialect transactions;
    private final int largestResult;
    private final AliasedClaims aliased;
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
        this.aliased = new AliasedClaims(transactions);
    }

    /**
     * In a database whose schema is in place.
     *
     * @throws SchemaException if it is not; the message holds the statements that are missing
     */
    public static TransactionalClaims on(DataSource dataSource, Secret secret) {
        return on(dataSource, Secrets.of(secret));
    }

    /** As {@link #on(DataSource, Secret)}, while a secret is being rotated. */
    public static TransactionalClaims on(DataSource dataSource, Secrets secrets) {
        Schema schema = Schema.of(dataSource);
        schema.check();
        return new TransactionalClaims(dataSource, schema.dialect(), secrets);
    }

    /** In the database of this store; for {@link JdbcClaimStore#sqlite}, on its one writer. */
    public static TransactionalClaims on(JdbcClaimStore store, Secret secret) {
        return on(store, Secrets.of(secret));
    }

    /** As {@link #on(JdbcClaimStore, Secret)}, while a secret is being rotated. */
    public static TransactionalClaims on(JdbcClaimStore store, Secrets secrets) {
        return new TransactionalClaims(store.dataSource(), store.dialect(), secrets);
    }

    /** As {@link #execute(Connection, Operation, ClaimKey, Fingerprint, Work)}, for keys without a fingerprint. */
    public <T extends @Nullable Object> Outcome<T> execute(
            Connection connection, Operation<T> operation, ClaimKey key, Work<T> work) {
        return execute(connection, operation, key, Fingerprint.NONE, work);
    }

    /**
     * Claims, runs and settles inside the transaction that the caller has begun on this connection. Nothing of it is
     * true before the caller's commit: answer nobody earlier. If the work throws, what it wrote is undone, and that it
     * failed is kept if the caller commits.
     *
     * @return never waits: a duplicate of an open transaction is {@link Outcome.InProgress}
     * @throws IllegalStateException if the connection is in auto-commit mode, or if this thread is running this key
     * @throws TransactionAbortedException if the transaction can only be rolled back; under REPEATABLE READ and
     *     SERIALIZABLE also when a duplicate has committed since this transaction's first statement: run it again
     */
    public <T extends @Nullable Object> Outcome<T> execute(
            Connection connection, Operation<T> operation, ClaimKey key, Fingerprint fingerprint, Work<T> work) {
        return execute(connection, operation, AliasedKey.of(key), fingerprint, work);
    }

    /**
     * As {@link #execute(Connection, Operation, ClaimKey, Fingerprint, Work)}, for a key that has other names too: whoever
     * claims by one of them meets everybody who claims by another.
     */
    public <T extends @Nullable Object> Outcome<T> execute(
            Connection connection, Operation<T> operation, AliasedKey key, Fingerprint fingerprint, Work<T> work) {
        requireTransaction(connection);
        JdbcTransaction transaction = new JdbcTransaction(connection, transactions, aliased, largestResult);
        return protocol.execute(transaction, operation, key, fingerprint, work);
    }

    /** As {@link #execute}, where {@code Semel} claims the same key: for short transactions of this module's own only. */
    <T extends @Nullable Object> Outcome<T> executeLeased(
            Connection connection, Operation<T> operation, ClaimKey key, Work<T> work) {
        JdbcTransaction transaction = new JdbcTransaction(connection, transactions, aliased, largestResult);
        return protocol.executeLeased(
                new LeasedTransaction(connection, transaction, transactions),
                operation,
                AliasedKey.of(key),
                Fingerprint.NONE,
                work);
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
                    "The connection is in auto-commit mode, so there is no transaction to claim in: call"
                            + " setAutoCommit(false), or use inTransaction. With Spring, get the connection by"
                            + " DataSourceUtils.getConnection inside @Transactional");
        }
    }

    /** As the other one, for keys without a fingerprint. */
    public <T extends @Nullable Object> Outcome<T> inTransaction(
            Operation<T> operation, ClaimKey key, TransactionWork<T> work) {
        return inTransaction(operation, key, Fingerprint.NONE, work);
    }

    /**
     * Opens a transaction, claims, runs, settles and commits. A duplicate waits for as long as the operation says
     * ({@link Operation#waitingUpTo}), holding no connection meanwhile.
     *
     * <p>If another transaction was in the way, or it is not known whether the commit came through, all of it is done
     * again: the work may be called several times, and what it wrote is committed once. {@link Outcome.Unavailable} says
     * that nothing was committed; {@link Outcome.Unsettled} that nobody knows, and that asking again will tell.
     *
     * @throws IllegalStateException if the data source hands out a connection on which auto-commit is off
     * @throws TransactionAbortedException if the work ended the transaction, or went on after a statement had failed
     */
    public <T extends @Nullable Object> Outcome<T> inTransaction(
            Operation<T> operation, ClaimKey key, Fingerprint fingerprint, TransactionWork<T> work) {
        return inTransaction(operation, AliasedKey.of(key), fingerprint, work);
    }

    /** As the other ones, for a key that has other names too. */
    public <T extends @Nullable Object> Outcome<T> inTransaction(
            Operation<T> operation, AliasedKey key, Fingerprint fingerprint, TransactionWork<T> work) {
        return protocol.retryWhileInProgress(operation, () -> inOneTransaction(operation, key, fingerprint, work));
    }

    private <T extends @Nullable Object> Outcome<T> inOneTransaction(
            Operation<T> operation, AliasedKey key, Fingerprint fingerprint, TransactionWork<T> work) {
        // No bounds: how long the work waits and computes between its statements is the user's business.
        return new OwnTransaction<T>(dataSource, linksNames(key), TransactionBounds.none())
                .run(connection -> execute(connection, operation, key, fingerprint, run -> work.run(connection, run)));
    }

    /**
     * As {@link #inTransaction}, without waiting for anybody, with the bounds of a group's transaction: it holds rows for
     * which lanes wait.
     *
     * @param inProgress asked after the work: whether somebody else was in its way, so that nothing of it may be kept
     */
    <T extends @Nullable Object> Outcome<T> inGroupsTransaction(
            Operation<T> operation,
            AliasedKey key,
            Fingerprint fingerprint,
            BooleanSupplier inProgress,
            TransactionWork<T> work) {
        return new OwnTransaction<T>(dataSource, linksNames(key), transactions.bounds()).run(connection -> {
            Outcome<T> outcome = execute(connection, operation, key, fingerprint, run -> work.run(connection, run));
            return inProgress.getAsBoolean() ? undone(connection) : outcome;
        });
    }

    private static <T extends @Nullable Object> Outcome<T> undone(Connection connection) {
        try {
            connection.rollback();
        } catch (SQLException e) {
            throw TransactionAbortedException.of(e);
        }
        return new Outcome.InProgress<>(ASK_AGAIN);
    }

    private boolean linksNames(AliasedKey key) {
        return rotating || !key.aliases().isEmpty();
    }

    /** Where the claim on this key is, by the current secret, for looking it up. */
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

    AliasedClaims aliased() {
        return aliased;
    }

    /** Whether several secrets are alive, so that every claim has several names. */
    boolean rotating() {
        return rotating;
    }

    int largestResult() {
        return largestResult;
    }
}

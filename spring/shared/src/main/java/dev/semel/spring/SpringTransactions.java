// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring;

import dev.semel.CallerTransactions;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.TransactionProtocol;
import dev.semel.Work;
import dev.semel.claim.AliasedKey;
import dev.semel.claim.Fingerprint;
import dev.semel.jdbc.TransactionalClaims;
import dev.semel.key.Secrets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.JdbcTransactionObjectSupport;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.NoTransactionException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.interceptor.TransactionAspectSupport;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Spring's transactions. An operation that joins runs in the caller's transaction:
 *
 * <ol>
 *   <li>The transaction must be one of the transaction manager, on the data source of the claims, writable, neither ended nor
 *       marked for rollback. Otherwise the call is refused, and nothing ran.
 *   <li>Claim, work and settlement use the transaction's connection. The caller commits or rolls back all of it.
 *   <li>If the database aborted the transaction, it is marked for rollback, so that no part of it is committed.
 * </ol>
 *
 * <p>Without an open transaction, {@link OwnTransaction} begins and commits one.
 */
final class SpringTransactions implements CallerTransactions {
    private static final TransactionDefinition EXISTING =
            new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_MANDATORY);

    private final Supplier<JoinableClaims> joinable;
    private final TransactionProtocol waiting;
    private final TransactionWatch watch;

    /** @param joinable the claims in the application's database; throws if there are none, with the fix */
    SpringTransactions(Secrets secrets, Supplier<JoinableClaims> joinable, TransactionWatch watch) {
        this.joinable = joinable;
        this.watch = watch;
        this.waiting = new TransactionProtocol(secrets);
    }

    /** The claims, and what reaches the caller's transaction on their database. */
    record JoinableClaims(TransactionalClaims claims, DataSource dataSource, PlatformTransactionManager manager) {}

    @Override
    public boolean isActive() {
        return TransactionSynchronizationManager.isActualTransactionActive();
    }

    @Override
    public <T extends @Nullable Object> Outcome<T> execute(
            Operation<T> operation, AliasedKey key, Fingerprint fingerprint, Work<T> work) {
        JoinableClaims target = joinable.get();
        if (isActive()) {
            return joined(target, operation, key, fingerprint, work);
        }
        OwnTransaction.Claimed<T> claimed =
                (connection, once) -> target.claims().execute(connection, operation, key, fingerprint, once);
        return waiting.retryWhileInProgress(operation, () -> new OwnTransaction<>(target, claimed).run(work));
    }

    private <T extends @Nullable Object> Outcome<T> joined(
            JoinableClaims target, Operation<T> operation, AliasedKey key, Fingerprint fingerprint, Work<T> work) {
        if (watch.hasEnded(target.dataSource())) {
            throw new IllegalStateException(
                    "Operation %s joins the caller's transaction, which has ended: only its callbacks, such as afterCommit or a @TransactionalEventListener, still run, and the effect would be lost. Call it in a new transaction (@Transactional(propagation = Propagation.REQUIRES_NEW) on the method that calls it), or use outsideTransaction() (with @Idempotent: transaction = OUTSIDE)"
                            .formatted(operation.scope()));
        }
        if (TransactionSynchronizationManager.isCurrentTransactionReadOnly()) {
            throw new IllegalStateException(
                    "Operation %s joins the caller's transaction, which is read-only: remove readOnly = true from the caller's @Transactional"
                            .formatted(operation.scope()));
        }
        TransactionStatus status = existing(target.manager(), operation);
        boolean usable = false;
        try {
            Outcome<T> outcome = onConnection(target.dataSource(), operation, connection -> {
                if (isMarked(target, status)) {
                    throw new IllegalStateException(
                            "Operation %s joins the caller's transaction, which is marked for rollback: its effect would be lost. Find what marked it (an exception that left a @Transactional method), and call again in a new transaction"
                                    .formatted(operation.scope()));
                }
                return target.claims().execute(connection, operation, key, fingerprint, work);
            });
            // As after any exception that leaves a @Transactional method: unflushed entities and events cannot be
            // undone alone.
            usable = failureOf(outcome) == null;
            return isMarked(target, status) ? undone(outcome) : outcome;
        } catch (IllegalStateException e) {
            // Refused before anything was written, so the caller's transaction stays usable.
            usable = true;
            throw e;
        } finally {
            if (usable) {
                target.manager().commit(status);
            } else {
                target.manager().rollback(status);
            }
        }
    }

    /** The exception of work that ran now and failed; null otherwise. */
    static @Nullable Throwable failureOf(Outcome<?> outcome) {
        if (outcome instanceof Outcome.Failed<?> failed) {
            return failed.replayed() ? null : failed.cause();
        }
        if (outcome instanceof Outcome.Unknown<?> unknown) {
            return unknown.cause();
        }
        return outcome instanceof Outcome.Retryable<?> retryable ? retryable.cause() : null;
    }

    /** A mark of a caller becomes visible to participants only when its own method or template ends. */
    private boolean isMarked(JoinableClaims target, TransactionStatus status) {
        return status.isRollbackOnly() || watch.isMarked(target.dataSource()) || isMarkedByAdvice(target.dataSource());
    }

    /** A mark of a {@code @Transactional} method that participates in the same transaction. */
    private static boolean isMarkedByAdvice(DataSource dataSource) {
        try {
            return TransactionAspectSupport.currentTransactionStatus() instanceof DefaultTransactionStatus callers
                    && callers.isLocalRollbackOnly()
                    && callers.hasTransaction()
                    && callers.getTransaction() instanceof JdbcTransactionObjectSupport transaction
                    && transaction.hasConnectionHolder()
                    && transaction.getConnectionHolder() == TransactionSynchronizationManager.getResource(dataSource);
        } catch (NoTransactionException e) {
            return false;
        }
    }

    /** The work marked the transaction for rollback, for example by an exception of a {@code @Transactional} method. */
    private static <T extends @Nullable Object> Outcome<T> undone(Outcome<T> outcome) {
        boolean ended = outcome instanceof Outcome.Succeeded || outcome instanceof Outcome.Rejected;
        if (!ended || outcome.isReplayed()) {
            return outcome;
        }
        return new Outcome.Unsettled<>(
                outcome instanceof Outcome.Succeeded<T> succeeded ? succeeded.value() : null,
                null,
                false,
                "the work marked the transaction for rollback, so neither its effect nor its claim is committed");
    }

    private static TransactionStatus existing(PlatformTransactionManager manager, Operation<?> operation) {
        try {
            return manager.getTransaction(EXISTING);
        } catch (IllegalTransactionStateException e) {
            throw elsewhere(operation, e);
        }
    }

    static <T extends @Nullable Object> Outcome<T> onConnection(
            DataSource dataSource, Operation<T> operation, ConnectionWork<T> work) {
        return onConnection(dataSource, () -> elsewhere(operation, null), work);
    }

    /** Works on the connection of the open transaction, and refuses one that the transaction does not use. */
    static <T extends @Nullable Object> Outcome<T> onConnection(
            DataSource dataSource, Supplier<IllegalStateException> notJoined, ConnectionWork<T> work) {
        Connection connection = DataSourceUtils.getConnection(dataSource);
        try {
            if (isAutoCommit(connection)) {
                throw notJoined.get();
            }
            return work.run(connection);
        } finally {
            DataSourceUtils.releaseConnection(connection, dataSource);
        }
    }

    /** A connection that cannot answer is left to the first statement, which reports why. */
    private static boolean isAutoCommit(Connection connection) {
        try {
            return connection.getAutoCommit();
        } catch (SQLException e) {
            return false;
        }
    }

    private static IllegalStateException elsewhere(Operation<?> operation, @Nullable Throwable cause) {
        return new IllegalStateException(
                ("Operation %s joins the caller's transaction, but the open transaction is not on the data source that holds"
                                + " the claims: use @Transactional with the transaction manager of that data source, set"
                                + " semel.data-source and semel.transaction-manager, or use outsideTransaction()")
                        .formatted(operation.scope()),
                cause);
    }

    /** Work on the connection of a transaction. */
    interface ConnectionWork<T extends @Nullable Object> {
        Outcome<T> run(Connection connection);
    }
}

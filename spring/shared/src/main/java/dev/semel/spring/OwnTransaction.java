// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring;

import dev.semel.Outcome;
import dev.semel.RunContext;
import dev.semel.Work;
import dev.semel.jdbc.TransactionAbortedException;
import dev.semel.spring.SpringTransactions.JoinableClaims;
import java.sql.Connection;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * A transaction that is begun for a joining operation whose caller has none. It runs again from the beginning after a conflict
 * and after a commit with unknown outcome. That is safe: a committed attempt is found by its key, and the work does not run
 * again.
 */
final class OwnTransaction<T extends @Nullable Object> {
    private static final Logger LOG = LoggerFactory.getLogger(OwnTransaction.class);
    private static final int TRIES = 8;
    private static final long FIRST_PAUSE_NANOS = 2_000_000;

    private final JoinableClaims target;
    private final Claimed<T> claimed;

    /** The outcome that may have been committed; null if no commit is in doubt. */
    private @Nullable Outcome<T> inDoubt;

    /** What the work threw, if it was an error: an outcome cannot contain it. */
    private @Nullable Error error;

    OwnTransaction(JoinableClaims target, Claimed<T> claimed) {
        this.target = target;
        this.claimed = claimed;
    }

    /** Claims, runs this work and settles on a connection. */
    interface Claimed<T extends @Nullable Object> {
        Outcome<T> execute(Connection connection, Work<T> work);
    }

    Outcome<T> run(Work<T> work) {
        for (int attempt = 1; ; attempt++) {
            RuntimeException failure;
            try {
                return once(work);
            } catch (CannotCreateTransactionException e) {
                if (inDoubt == null) {
                    return givenUp(e);
                }
                failure = e;
            } catch (TransactionAbortedException e) {
                if (inDoubt == null && !e.retryable()) {
                    throw e;
                }
                failure = e;
            } catch (RepeatException e) {
                failure = e.failure;
            }
            if (attempt == TRIES) {
                return givenUp(failure);
            }
            long pause = FIRST_PAUSE_NANOS << attempt;
            LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(pause / 2, pause));
        }
    }

    private Outcome<T> givenUp(RuntimeException failure) {
        if (inDoubt instanceof Outcome.Succeeded || inDoubt instanceof Outcome.Rejected) {
            T value = inDoubt instanceof Outcome.Succeeded<T> succeeded ? succeeded.value() : null;
            return new Outcome.Unsettled<>(value, null, false, "the database did not confirm the commit");
        }
        return new Outcome.Unavailable<>("the transaction could not be completed", failure);
    }

    private Outcome<T> once(Work<T> work) {
        TransactionStatus status = target.manager().getTransaction(new DefaultTransactionDefinition());
        Completion completion = new Completion();
        Outcome<T> outcome;
        try {
            TransactionSynchronizationManager.registerSynchronization(completion);
            outcome = SpringTransactions.onConnection(
                    target.dataSource(),
                    OwnTransaction::otherDataSource,
                    connection -> claimed.execute(connection, run -> notingErrors(work, run)));
        } catch (RuntimeException | Error e) {
            rollBack(status, e);
            if (e == error) {
                storeFailure(error);
            }
            throw e;
        }
        // A savepoint undoes statements, but not what the work left for the commit: unflushed entities and events.
        if (status.isRollbackOnly() || hasFailedNow(outcome)) {
            target.manager().rollback(status);
            return undone(outcome);
        }
        return committed(status, completion, outcome);
    }

    private T notingErrors(Work<T> work, RunContext run) throws Exception {
        try {
            return work.run(run);
        } catch (Error e) {
            error = e;
            throw e;
        }
    }

    private static boolean hasFailedNow(Outcome<?> outcome) {
        return SpringTransactions.failureOf(outcome) != null;
    }

    private static IllegalStateException otherDataSource() {
        return new IllegalStateException(
                "The transaction manager does not use the data source that holds the claims: set semel.transaction-manager to the"
                        + " bean that manages transactions of that data source, or semel.data-source to its data source");
    }

    private void rollBack(TransactionStatus status, Throwable because) {
        try {
            target.manager().rollback(status);
        } catch (RuntimeException e) {
            because.addSuppressed(e);
        }
    }

    /** The work marked the transaction for rollback: what it threw is stored in a transaction of its own. */
    private Outcome<T> undone(Outcome<T> outcome) {
        if (!outcome.isReplayed()
                && (outcome instanceof Outcome.Succeeded<T> || outcome instanceof Outcome.Rejected<T>)) {
            return new Outcome.Retryable<>(new UnexpectedRollbackException(
                    "The work marked the transaction for rollback, so its effect and its claim are undone"));
        }
        Throwable thrown = SpringTransactions.failureOf(outcome);
        if (thrown != null) {
            storeFailure(thrown);
        }
        return outcome;
    }

    /** Without this a permanent failure would run again, and an attempt cap would never be reached. */
    private void storeFailure(Throwable failure) {
        try {
            onceStoring(failure);
        } catch (RuntimeException | Error e) {
            LOG.debug("The failure of a rolled back transaction was not stored; the next call runs again", e);
        }
    }

    /** A transaction that does nothing but fail, so that its commit stores the failure. */
    private void onceStoring(Throwable failure) {
        TransactionStatus status = target.manager().getTransaction(new DefaultTransactionDefinition());
        try {
            SpringTransactions.onConnection(
                    target.dataSource(),
                    OwnTransaction::otherDataSource,
                    connection -> claimed.execute(connection, run -> {
                        throw exceptionOf(failure);
                    }));
        } catch (RuntimeException | Error e) {
            // An error of the work is thrown again after it was settled.
            if (e != failure) {
                rollBack(status, e);
                throw e;
            }
        }
        target.manager().commit(status);
    }

    /** Throws an error itself, because work declares exceptions only. */
    private static Exception exceptionOf(Throwable failure) {
        if (failure instanceof Error thrown) {
            throw thrown;
        }
        return (Exception) failure;
    }

    private Outcome<T> committed(TransactionStatus status, Completion completion, Outcome<T> outcome) {
        try {
            target.manager().commit(status);
            return outcome;
        } catch (UnexpectedRollbackException e) {
            return new Outcome.Retryable<>(e);
        } catch (RuntimeException e) {
            if (completion.status == TransactionSynchronization.STATUS_COMMITTED) {
                LOG.warn("The transaction is committed, but a callback after the commit failed", e);
                return outcome;
            }
            if (isReadOnly(outcome)) {
                return outcome;
            }
            if (CommitFailures.isConflict(e)) {
                throw new RepeatException(e);
            }
            if (CommitFailures.isRejected(e)
                    || (completion.status == TransactionSynchronization.STATUS_ROLLED_BACK
                            && !CommitFailures.isOfTheDatabase(e))) {
                return new Outcome.Retryable<>(e);
            }
            inDoubt = outcome;
            throw new RepeatException(e);
        }
    }

    private static boolean isReadOnly(Outcome<?> outcome) {
        return outcome.isReplayed() || outcome instanceof Outcome.InProgress || outcome instanceof Outcome.Mismatch;
    }

    /** Learns how the transaction ended, which the exception of a commit does not always say. */
    private static final class Completion implements TransactionSynchronization {
        private int status = STATUS_UNKNOWN;

        @Override
        public void afterCompletion(int ended) {
            status = ended;
        }
    }

    /** The transaction runs again. */
    private static final class RepeatException extends RuntimeException {
        private final RuntimeException failure;

        RepeatException(RuntimeException failure) {
            super(null, failure, false, false);
            this.failure = failure;
        }
    }
}

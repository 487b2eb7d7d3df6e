// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Watches the transactions of all transaction managers. A participant cannot see two facts about its transaction that the
 * owner knows: the owner marked it for rollback, or it has ended and only its callbacks still run, such as {@code afterCommit}.
 */
final class TransactionWatch implements BeanPostProcessor {
    /** Not static: another context has other transaction managers. Null while the thread has no transaction. */
    @SuppressWarnings("ThreadLocalUsage")
    private final ThreadLocal<@Nullable IdentityHashMap<Object, Watched>> open = new ThreadLocal<>();

    private final TransactionExecutionListener listener = new Listener();

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (bean instanceof ConfigurableTransactionManager manager) {
            manager.addListener(listener);
        }
        return bean;
    }

    /** Whether the transaction on this data source has been committed or rolled back, and only its callbacks still run. */
    boolean hasEnded(DataSource dataSource) {
        Watched watched = find(dataSource);
        return watched != null && watched.ended;
    }

    /** Whether an owner of the transaction on this data source, or of a savepoint in it, marked it for rollback. */
    boolean isMarked(DataSource dataSource) {
        Watched watched = find(dataSource);
        return watched != null && watched.owners.stream().anyMatch(TransactionExecution::isRollbackOnly);
    }

    private @Nullable Watched find(DataSource dataSource) {
        IdentityHashMap<Object, Watched> watched = open.get();
        Object holder = TransactionSynchronizationManager.getResource(dataSource);
        return watched == null || holder == null ? null : watched.get(holder);
    }

    /** One transaction, found by the objects that hold its resources: each transaction has a new one for its connection. */
    private static final class Watched {
        private final List<TransactionExecution> owners = new ArrayList<>(1);
        private boolean ended;
    }

    private final class Listener implements TransactionExecutionListener {
        @Override
        public void afterBegin(TransactionExecution transaction, @Nullable Throwable failure) {
            if (failure != null) {
                return;
            }
            IdentityHashMap<Object, Watched> watched = open.get();
            if (watched == null) {
                watched = new IdentityHashMap<>();
                open.set(watched);
            }
            for (Object holder :
                    TransactionSynchronizationManager.getResourceMap().values()) {
                watched.computeIfAbsent(holder, any -> new Watched()).owners.add(transaction);
            }
        }

        @Override
        public void beforeCommit(TransactionExecution transaction) {
            ends(transaction);
        }

        @Override
        public void beforeRollback(TransactionExecution transaction) {
            ends(transaction);
        }

        /** Called after all callbacks that still belong to the transaction, except those of {@code afterCompletion}. */
        private void ends(TransactionExecution transaction) {
            IdentityHashMap<Object, Watched> watched = open.get();
            // A savepoint ends, but its transaction goes on.
            if (watched != null && transaction.isNewTransaction()) {
                for (Watched each : watched.values()) {
                    each.ended |= each.owners.contains(transaction);
                }
            }
        }

        @Override
        public void afterCommit(TransactionExecution transaction, @Nullable Throwable failure) {
            forget(transaction);
        }

        @Override
        public void afterRollback(TransactionExecution transaction, @Nullable Throwable failure) {
            forget(transaction);
        }

        private void forget(TransactionExecution transaction) {
            IdentityHashMap<Object, Watched> watched = open.get();
            if (watched == null) {
                return;
            }
            watched.values().forEach(each -> each.owners.remove(transaction));
            watched.values().removeIf(each -> each.owners.isEmpty());
            if (watched.isEmpty()) {
                open.remove();
            }
        }
    }
}

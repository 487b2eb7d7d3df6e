// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.inbox;

import dev.semel.claim.StoreException;
import dev.semel.claim.StoreException.Kind;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;

/**
 * Consumers that wait for an event, without a thread. Their number is limited, because each asks the database once a second.
 */
final class InboxWaiters {
    /** The maximum number of consumers that wait in this process. */
    static final int MAX_WAITING = 200;

    /** The maximum number of consumers of one tenant that wait, so that others find a place. */
    static final int MAX_PER_TENANT = 100;

    private final Map<String, Integer> waiting = new HashMap<>();
    private int all;
    private final ConcurrentMap<String, Map<Object, CompletableFuture<Boolean>>> byTenant = new ConcurrentHashMap<>();
    private volatile boolean ended;

    /** Runs a wait. Fails at once if too many consumers wait already. */
    <T> CompletableFuture<T> admit(String tenant, Supplier<CompletableFuture<T>> wait) {
        if (!entered(tenant)) {
            return CompletableFuture.failedFuture(new StoreException(
                    Kind.BUSY,
                    "%d consumers already wait for events, or %d of this tenant"
                            .formatted(MAX_WAITING, MAX_PER_TENANT)));
        }
        return wait.get().whenComplete((answer, failure) -> left(tenant));
    }

    private synchronized boolean entered(String tenant) {
        if (all >= MAX_WAITING || waiting.getOrDefault(tenant, 0) >= MAX_PER_TENANT) {
            return false;
        }
        all++;
        waiting.merge(tenant, 1, Integer::sum);
        return true;
    }

    private synchronized void left(String tenant) {
        all--;
        waiting.computeIfPresent(tenant, (name, count) -> count > 1 ? count - 1 : null);
    }

    /** Completes when this process writes an event of the tenant, or after the pause. */
    @SuppressWarnings("CollectionUndefinedEquality") // Futures are compared by identity, which is meant here.
    CompletableFuture<Boolean> next(String tenant, CompletableFuture<Boolean> pause) {
        Object place = new Object();
        byTenant.compute(tenant, (name, pauses) -> {
            Map<Object, CompletableFuture<Boolean>> all = pauses == null ? new ConcurrentHashMap<>() : pauses;
            all.put(place, pause);
            return all;
        });
        if (ended) {
            pause.complete(true);
        }
        return pause.whenComplete((woken, failure) -> byTenant.computeIfPresent(tenant, (name, pauses) -> {
            pauses.remove(place);
            return pauses.isEmpty() ? null : pauses;
        }));
    }

    /** An event can be taken. */
    void wake(String tenant) {
        Map<Object, CompletableFuture<Boolean>> pauses = byTenant.get(tenant);
        if (pauses != null) {
            pauses.values().forEach(pause -> pause.complete(true));
        }
    }

    /** Ends all waits, and every later one at once. */
    void end() {
        ended = true;
        byTenant.keySet().forEach(this::wake);
    }

    boolean ended() {
        return ended;
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Counts what the clients behind one address hold: connections, and bytes of the {@link MemoryBudget}. */
final class AddressAccount {
    private final String address;
    private final boolean bounded;
    private final AtomicLong bytes = new AtomicLong();
    private final Set<ConnectionSlot> connections = ConcurrentHashMap.newKeySet();

    /**
     * Number of connections and requests that use this account. Only {@link ClientAddresses}, inside its map, raises it
     * from zero.
     */
    private final AtomicInteger users = new AtomicInteger();

    /** @param bounded false for a trusted proxy, because many clients share its address */
    AddressAccount(String address, boolean bounded) {
        this.address = address;
        this.bounded = bounded;
    }

    /** Adds a user. Call it only as an existing user of the account, or inside an atomic operation of the map. */
    AddressAccount addUser() {
        users.incrementAndGet();
        return this;
    }

    /** Removes a user unless it is the last one. Returns false for the last one. */
    boolean releaseUnlessLast() {
        int now = users.get();
        while (now > 1) {
            if (users.compareAndSet(now, now - 1)) {
                return true;
            }
            now = users.get();
        }
        return false;
    }

    /** Removes a user inside an atomic operation of the map. Returns whether it was the last one. */
    boolean releaseAndCheckLast() {
        return users.decrementAndGet() == 0;
    }

    String address() {
        return address;
    }

    boolean bounded() {
        return bounded;
    }

    /** Adds to the held bytes and returns the sum. */
    long hold(long more) {
        return bytes.addAndGet(more);
    }

    Set<ConnectionSlot> connections() {
        return connections;
    }
}

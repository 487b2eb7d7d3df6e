// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** What the clients behind one address hold: connections, and bytes of the {@link MemoryBudget}. */
final class AddressAccount {
    private final String address;
    private final boolean bounded;
    private final AtomicLong bytes = new AtomicLong();
    private final Set<ConnectionSlot> connections = ConcurrentHashMap.newKeySet();

    /** How many connections and requests use this account. It never grows from zero, but in the map of {@link ClientAddresses}. */
    private final AtomicInteger users = new AtomicInteger();

    /** @param bounded false for a trusted proxy, which speaks for many clients */
    AddressAccount(String address, boolean bounded) {
        this.address = address;
        this.bounded = bounded;
    }

    /** One user more; for those who use it already, or in the map's own method. */
    AddressAccount used() {
        users.incrementAndGet();
        return this;
    }

    /** One user less; false if it would be the last. */
    boolean leftByOneOfMany() {
        int now = users.get();
        while (now > 1) {
            if (users.compareAndSet(now, now - 1)) {
                return true;
            }
            now = users.get();
        }
        return false;
    }

    /** One user less, in the map's own method; whether it was the last. */
    boolean leftByTheLast() {
        return users.decrementAndGet() == 0;
    }

    String address() {
        return address;
    }

    boolean bounded() {
        return bounded;
    }

    /** Adds to what is held; the answer is the sum. */
    long hold(long more) {
        return bytes.addAndGet(more);
    }

    Set<ConnectionSlot> connections() {
        return connections;
    }
}

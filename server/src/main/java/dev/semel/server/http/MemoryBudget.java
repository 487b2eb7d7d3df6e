// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import dev.semel.server.config.LimitSettings;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits the memory that all requests hold together: bodies, parsed values, and responses until they are written.
 * Memory is reserved here before it is allocated.
 *
 * <ol>
 *   <li>One address holds at most {@code limits.address_bytes}.
 *   <li>Routes without authentication hold at most half of the budget, so that anonymous clients cannot block
 *       authenticated ones.
 *   <li>The last quarter is reserved for addresses that hold little. Clients with small requests continue while others
 *       use up the rest.
 * </ol>
 */
final class MemoryBudget {
    private static final int SMALL_SHARE = 64;

    private final long max;
    private final long maxOfOpenRoutes;
    private final long maxWithoutReserve;
    private final long maxOfAnAddress;
    private final long little;
    private final LimitLog log = new LimitLog("limits.memory_bytes or limits.address_bytes");
    private final AtomicLong taken = new AtomicLong();
    private final AtomicLong takenByOpenRoutes = new AtomicLong();

    MemoryBudget(LimitSettings limits) {
        this.max = limits.memoryBytes();
        this.maxOfOpenRoutes = max / 2;
        this.maxWithoutReserve = max - max / 4;
        this.maxOfAnAddress = limits.addressBytes();
        this.little = max / SMALL_SHARE;
    }

    /** The outcome of a reservation. */
    enum Room {
        TAKEN,
        /** There is not enough room now. */
        FULL,
        /** The request would not fit even if nothing else were held. */
        NEVER
    }

    /** @param before bytes that the same request already holds */
    Room take(AddressAccount account, boolean openRoute, long bytes, long before) {
        long held = account.hold(bytes);
        boolean light = held <= little;
        boolean fits = (!account.bounded() || held <= maxOfAnAddress)
                && addWithin(taken, bytes, light ? max : maxWithoutReserve);
        if (fits && openRoute && !addWithin(takenByOpenRoutes, bytes, maxOfOpenRoutes)) {
            taken.addAndGet(-bytes);
            fits = false;
        }
        if (fits) {
            return Room.TAKEN;
        }
        account.hold(-bytes);
        if (before + bytes > possible(account, openRoute)) {
            return Room.NEVER;
        }
        log.reached();
        return Room.FULL;
    }

    /** Returns whether the address would still hold little with this many more bytes. */
    boolean isLittle(AddressAccount account, long bytes) {
        return account.hold(0) + bytes <= little;
    }

    /** Returns the number of held bytes up to which an address may use the reserve. */
    long little() {
        return little;
    }

    private long possible(AddressAccount account, boolean openRoute) {
        long possible = openRoute ? Math.min(maxWithoutReserve, maxOfOpenRoutes) : maxWithoutReserve;
        return account.bounded() ? Math.min(possible, maxOfAnAddress) : possible;
    }

    void giveBack(AddressAccount account, boolean openRoute, long bytes) {
        account.hold(-bytes);
        taken.addAndGet(-bytes);
        if (openRoute) {
            takenByOpenRoutes.addAndGet(-bytes);
        }
    }

    /** Returns the number of bytes held now. */
    long taken() {
        return taken.get();
    }

    private static boolean addWithin(AtomicLong sum, long bytes, long bound) {
        if (sum.addAndGet(bytes) <= bound) {
            return true;
        }
        sum.addAndGet(-bytes);
        return false;
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import dev.semel.server.config.LimitSettings;

/**
 * Limits the memory that all requests hold together: bodies, parsed values, and responses until they are written.
 * Memory is reserved here before it is allocated.
 *
 * <ol>
 *   <li>One address holds at most {@code limits.address_bytes}.
 *   <li>Routes without authentication hold at most half of the budget, so that anonymous clients cannot block
 *       authenticated ones.
 *   <li>The last quarter, also of that half, is reserved for addresses that hold little. Clients with small requests
 *       continue while others use up the rest.
 * </ol>
 *
 * One lock guards all sums, so a refused reservation is never visible to others: a client with small requests is not
 * refused because a large request was just tried. Thread-safe.
 */
final class MemoryBudget {
    private static final int SMALL_SHARE = 64;

    private final Share all;
    private final Share openRoutes;
    private final long maxOfAnAddress;
    private final long little;
    private final LimitLog log = new LimitLog("limits.memory_bytes or limits.address_bytes");

    MemoryBudget(LimitSettings limits) {
        this.all = new Share(limits.memoryBytes());
        this.openRoutes = new Share(limits.memoryBytes() / 2);
        this.maxOfAnAddress = limits.addressBytes();
        this.little = limits.memoryBytes() / SMALL_SHARE;
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
        if (tryTake(account, openRoute, bytes)) {
            return Room.TAKEN;
        }
        if (before + bytes > possible(account, openRoute)) {
            return Room.NEVER;
        }
        log.reached();
        return Room.FULL;
    }

    private synchronized boolean tryTake(AddressAccount account, boolean openRoute, long bytes) {
        long held = account.hold(0) + bytes;
        boolean light = held <= little;
        boolean fits = (!account.bounded() || held <= maxOfAnAddress)
                && all.fits(bytes, light)
                && (!openRoute || openRoutes.fits(bytes, light));
        if (fits) {
            add(account, openRoute, bytes);
        }
        return fits;
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
        long possible = openRoute ? openRoutes.withoutReserve() : all.withoutReserve();
        return account.bounded() ? Math.min(possible, maxOfAnAddress) : possible;
    }

    synchronized void giveBack(AddressAccount account, boolean openRoute, long bytes) {
        add(account, openRoute, -bytes);
    }

    private void add(AddressAccount account, boolean openRoute, long bytes) {
        account.hold(bytes);
        all.taken += bytes;
        if (openRoute) {
            openRoutes.taken += bytes;
        }
    }

    /** Returns the number of bytes held now. */
    synchronized long taken() {
        return all.taken;
    }

    /** A number of bytes whose last quarter is reserved. The budget's lock guards it. */
    private static final class Share {
        private final long max;
        private long taken;

        Share(long max) {
            this.max = max;
        }

        boolean fits(long bytes, boolean light) {
            return taken + bytes <= (light ? max : withoutReserve());
        }

        long withoutReserve() {
            return max - max / 4;
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import java.time.Duration;

/**
 * The memory that one request holds. Memory is reserved before it is allocated and released when the response was sent.
 * Reservations fail after the release. Thread-safe.
 */
public final class MemoryCharge {
    /** Copies of a response while it is created: as stored, as a JSON tree, as bytes. */
    private static final int COPIES = 3;

    /** Smaller stored values are not charged. The number of connections bounds them. */
    private static final int SMALL = 16_384;

    private static final long RECORD = 256 << 10;

    /** Estimated memory of a request without headers. {@link #HEADER} is the memory per header. */
    private static final long SMALLEST_HEAD = 2_048;

    private static final long HEADER = 192;

    /** A head is held as bytes and as text. Paths are also split. */
    private static final long HEAD_COPIES = 2;

    private final MemoryBudget budget;
    private final ClientAddresses addresses;
    private final AddressAccount account;
    private final boolean openRoute;
    private long taken;
    private boolean released;

    MemoryCharge(MemoryBudget budget, ClientAddresses addresses, AddressAccount account, boolean openRoute) {
        this.budget = budget;
        this.addresses = addresses;
        this.account = account;
        this.openRoute = openRoute;
    }

    /** Reserves memory if it is available. Returns whether it did. */
    public boolean tryTake(long bytes) {
        return room(bytes) == MemoryBudget.Room.TAKEN;
    }

    /**
     * Reserves memory.
     *
     * @throws ProblemException if there is no room: 503 if a retry can succeed, 413 if it never can
     */
    public void take(long bytes) {
        switch (room(bytes)) {
            case TAKEN -> {}
            case FULL -> throw busy().asException();
            case NEVER ->
                throw ProblemDetail.of(
                                ProblemType.CONTENT_TOO_LARGE,
                                "The request needs more memory than one client may use; send less at"
                                        + " once, or raise limits.memory_bytes and limits.address_bytes")
                        .asException();
        }
    }

    /**
     * Reserves memory for a response of up to {@code max} bytes. If that is not available, a smaller response is
     * allowed. The smallest size is only for addresses that hold little, so that others do not keep the database busy
     * with many small pages.
     *
     * @return the allowed number of bytes
     * @throws ProblemException if there is no room at all
     */
    public int takeForAnswer(int max) {
        for (int bytes : new int[] {max, max / 4}) {
            if (tryTake((long) COPIES * bytes)) {
                return bytes;
            }
        }
        int few = max / 64;
        if (budget.isLittle(account, (long) COPIES * few) && tryTake((long) COPIES * few)) {
            return few;
        }
        throw busy().asException();
    }

    /**
     * Reserves memory for reading one record of unknown size. This bounds the number of concurrent reads per address.
     *
     * @throws ProblemException if there is no room
     */
    public void takeForRecord() {
        take(Math.min(RECORD, budget.little()));
    }

    /**
     * Reserves memory for a request's head. The request of a client that disconnects stays in memory until its
     * processing ends.
     *
     * @throws ProblemException if there is no room
     */
    void takeForHead(int bytes, int lines) {
        take(SMALLEST_HEAD + HEADER * lines + HEAD_COPIES * bytes);
    }

    /**
     * Reserves memory for a response with a stored value.
     *
     * @throws ProblemException if there is no room
     */
    public void takeForStored(long bytes) {
        if (bytes > SMALL && !tryTake(COPIES * bytes)) {
            throw busyAnswering().asException();
        }
    }

    /** Replaces the reserved amount. Returns false and changes nothing if there is no room. */
    synchronized boolean tryReplace(long bytes) {
        long more = bytes - taken;
        if (more <= 0) {
            giveBack(-more);
            return true;
        }
        return tryTake(more);
    }

    /** Releases a part of the reservation. Does nothing after {@link #release}, which released everything. */
    public synchronized void giveBack(long bytes) {
        if (!released) {
            taken -= bytes;
            budget.giveBack(account, openRoute, bytes);
        }
    }

    private synchronized MemoryBudget.Room room(long bytes) {
        if (released) {
            return MemoryBudget.Room.FULL;
        }
        MemoryBudget.Room room = budget.take(account, openRoute, bytes, taken);
        if (room == MemoryBudget.Room.TAKEN) {
            taken += bytes;
        }
        return room;
    }

    /** Releases everything. Called when the response was sent or the client is gone. */
    synchronized void release() {
        if (!released) {
            giveBack(taken);
            released = true;
            addresses.leave(account);
        }
    }

    /** The problem for finished work whose response does not fit into memory. */
    static ProblemDetail busyAnswering() {
        return ProblemDetail.of(
                        ProblemType.BUSY,
                        "The server has no memory for the response now; send the same request again, or request less")
                .retryAfter(Duration.ofSeconds(1));
    }

    public static ProblemDetail busy() {
        return ProblemDetail.of(ProblemType.BUSY, "The server has no memory for this request now; nothing was executed")
                .retryAfter(Duration.ofSeconds(1));
    }
}

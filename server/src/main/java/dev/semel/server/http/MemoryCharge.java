// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import java.time.Duration;

/**
 * What one request holds of the server's memory. It is taken before anything is allocated, and given back when the request
 * has its answer. After that nothing can be taken any more. Safe for use by many threads.
 */
public final class MemoryCharge {
    /** What an answer takes while it is made: as it is stored, as a document, as bytes. */
    private static final int COPIES = 3;

    /** What is bounded by the number of connections is not charged. */
    private static final int SMALL = 16_384;

    private static final long RECORD = 256 << 10;

    /** A request without headers, and the objects of one header. */
    private static final long SMALLEST_HEAD = 2_048;

    private static final long HEADER = 192;

    /** A head as bytes and as text; paths are also taken apart. */
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

    /** Whether there is room for so many more bytes, which are taken if there is. */
    public boolean tryTake(long bytes) {
        return room(bytes) == MemoryBudget.Room.TAKEN;
    }

    /**
     * Takes so many more bytes.
     *
     * @throws ProblemException if there is no room for them: 503 if there will be, 413 if there never is
     */
    public void take(long bytes) {
        switch (room(bytes)) {
            case TAKEN -> {}
            case FULL -> throw busy().asException();
            case NEVER ->
                throw ProblemDetail.of(
                                ProblemType.CONTENT_TOO_LARGE,
                                "The request needs more memory than a client may use; send less at once, or raise"
                                        + " limits.memory_bytes and limits.address_bytes")
                        .asException();
        }
    }

    /**
     * Takes room for an answer of up to so many bytes. If there is not as much, a smaller answer may do; a small one is for
     * addresses that hold little, so that others do not keep the database busy with many small answers.
     *
     * @return how many bytes it may have
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
     * Takes room for reading one record, whose size is not known before. It bounds how many such reads an address can have
     * under way.
     *
     * @throws ProblemException if there is no room for it
     */
    public void takeForRecord() {
        take(Math.min(RECORD, budget.little()));
    }

    /**
     * Takes what it costs to hold a request's head. A client that leaves gives its connection back at once, but its request
     * is held until the work ends.
     *
     * @throws ProblemException if there is no room for it
     */
    void takeForHead(int bytes, int lines) {
        take(SMALLEST_HEAD + HEADER * lines + HEAD_COPIES * bytes);
    }

    /**
     * Takes what it costs to answer with something that is stored.
     *
     * @throws ProblemException if there is no room for it
     */
    public void takeForStored(long bytes) {
        if (bytes > SMALL && !tryTake(COPIES * bytes)) {
            throw busyAnswering().asException();
        }
    }

    /** Holds so many bytes in place of what is held now; nothing changes if there is no room for them. */
    synchronized boolean tryBecome(long bytes) {
        long more = bytes - taken;
        if (more <= 0) {
            giveBack(-more);
            return true;
        }
        return tryTake(more);
    }

    /** Gives back what was taken; nothing once the request has its answer, because then all of it is given back. */
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

    /** The request has its answer, or nobody waits for one. */
    synchronized void release() {
        if (!released) {
            giveBack(taken);
            released = true;
            addresses.leave(account);
        }
    }

    /** For work that has ended and whose answer is larger than what is free. */
    static ProblemDetail busyAnswering() {
        return ProblemDetail.of(
                        ProblemType.BUSY,
                        "The server has no memory for the answer now; send the same request again, or ask for less")
                .retryAfter(Duration.ofSeconds(1));
    }

    public static ProblemDetail busy() {
        return ProblemDetail.of(ProblemType.BUSY, "The server has no memory for this request now; nothing has run")
                .retryAfter(Duration.ofSeconds(1));
    }
}

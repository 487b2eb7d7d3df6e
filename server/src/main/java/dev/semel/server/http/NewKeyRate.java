// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import dev.semel.server.config.LimitSettings;
import java.time.Duration;
import java.util.Optional;

/**
 * How much a tenant may make us store: so many new keys, and so many bytes under them. Room is taken before anything is
 * stored, and given back where it turned out that nothing was: known keys and replays cost nothing.
 *
 * <p>A part of the bytes is kept for the results of claims. Their work has run, so that a tenant whose new requests are
 * refused can still settle what it began.
 */
public final class NewKeyRate {
    private static final double RESERVED = 0.25;

    private final TenantBuckets keys;
    private final TenantBuckets bytes;
    private final int mostKeys;
    private final int mostBytes;
    private final int reserve;

    public NewKeyRate(LimitSettings limits) {
        this.mostKeys = limits.newKeysAtOnce();
        this.mostBytes = limits.newBytesAtOnce();
        this.reserve = (int) (mostBytes * RESERVED);
        this.keys = new TenantBuckets(limits.newKeysPerSecond(), mostKeys);
        this.bytes = new TenantBuckets(limits.newBytesPerSecond(), mostBytes);
    }

    /** Takes room for so many keys; the problem if there is not as much. */
    public Optional<Problem> tryTake(String tenant, int count) {
        return tryTake(tenant, count, 0);
    }

    /**
     * Takes room for so many keys and all that is to be stored under them; the problem if there is not as much.
     *
     * @param size in bytes
     */
    public Optional<Problem> tryTake(String tenant, int count, long size) {
        Duration keysIn = keys.take(tenant, places(count), 0);
        if (!keysIn.isZero()) {
            return Optional.of(Problem.of(
                            ProblemType.TOO_MANY_NEW_KEYS,
                            "This tenant has claimed too many new keys; the bound is limits.new_keys_per_second")
                    .retryAfter(keysIn));
        }
        Duration bytesIn = size == 0 ? Duration.ZERO : bytes.take(tenant, newBytes(size), reserve);
        if (!bytesIn.isZero()) {
            keys.giveBack(tenant, places(count));
            return Optional.of(tooMuch(bytesIn));
        }
        return Optional.empty();
    }

    /** Takes room for the result of a claim, also from what is kept for results; the problem if there is not as much. */
    public Optional<Problem> tryTakeResult(String tenant, long size) {
        Duration in = bytes.take(tenant, resultBytes(size), 0);
        return in.isZero() ? Optional.empty() : Optional.of(tooMuch(in));
    }

    private static Problem tooMuch(Duration wait) {
        return Problem.of(
                        ProblemType.TOO_MUCH_NEW_DATA,
                        "This tenant has stored too many bytes; the bound is limits.new_bytes_per_second. Nothing was stored")
                .retryAfter(wait);
    }

    /**
     * Gives places back that no new key has used.
     *
     * @param count how many were asked for
     * @param used how many keys were new
     */
    public void giveBack(String tenant, int count, int used) {
        keys.giveBack(tenant, places(count) - used);
    }

    /**
     * As {@link #giveBack(String, int, int)}, with the bytes.
     *
     * @param size how many bytes were asked for
     * @param stored how many were stored
     */
    public void giveBack(String tenant, int count, int used, long size, long stored) {
        giveBack(tenant, count, used);
        bytes.giveBack(tenant, newBytes(size) - newBytes(stored));
    }

    /** Gives back the room for a result that was not stored. */
    public void giveBackResult(String tenant, long size) {
        bytes.giveBack(tenant, resultBytes(size));
    }

    /** No more than there can ever be: who asks for more would wait for ever. */
    private int places(int count) {
        return Math.min(count, mostKeys);
    }

    private int newBytes(long size) {
        return (int) Math.min(size, mostBytes - reserve);
    }

    private int resultBytes(long size) {
        return (int) Math.min(size, mostBytes);
    }
}

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
    private final long reserve;
    private final LimitLog keysLog = new LimitLog("limits.new_keys_per_second");
    private final LimitLog bytesLog = new LimitLog("limits.new_bytes_per_second");

    public NewKeyRate(LimitSettings limits) {
        this.reserve = (long) (limits.newBytesAtOnce() * RESERVED);
        this.keys = new TenantBuckets(limits.newKeysPerSecond(), limits.newKeysAtOnce());
        this.bytes = new TenantBuckets(limits.newBytesPerSecond(), limits.newBytesAtOnce());
    }

    /** Takes room for so many keys; the problem if there is not as much. */
    public Optional<ProblemDetail> tryTake(String tenant, int count) {
        return tryTake(tenant, count, 0);
    }

    /**
     * Takes room for so many keys and all that is to be stored under them; the problem if there is not as much.
     *
     * @param size in bytes
     */
    public Optional<ProblemDetail> tryTake(String tenant, int count, long size) {
        Duration keysIn = keys.take(tenant, count, 0);
        if (!keysIn.isZero()) {
            keysLog.reached();
            return Optional.of(ProblemDetail.of(
                            ProblemType.TOO_MANY_NEW_KEYS,
                            "This tenant has claimed too many new keys; the bounds are limits.new_keys_per_second and"
                                    + " limits.new_keys_at_once")
                    .retryAfter(keysIn));
        }
        Duration bytesIn = size == 0 ? Duration.ZERO : bytes.take(tenant, size, reserve);
        if (!bytesIn.isZero()) {
            keys.giveBack(tenant, count);
            return Optional.of(tooMuch(bytesIn));
        }
        return Optional.empty();
    }

    /** Takes room for the result of a claim, also from what is kept for results; the problem if there is not as much. */
    public Optional<ProblemDetail> tryTakeResult(String tenant, long size) {
        Duration in = bytes.take(tenant, size, 0);
        return in.isZero() ? Optional.empty() : Optional.of(tooMuch(in));
    }

    private ProblemDetail tooMuch(Duration wait) {
        bytesLog.reached();
        return ProblemDetail.of(
                        ProblemType.TOO_MUCH_NEW_DATA,
                        "This tenant has stored too many bytes; the bounds are limits.new_bytes_per_second and"
                                + " limits.new_bytes_at_once. Nothing was stored")
                .retryAfter(wait);
    }

    /**
     * Gives places back that no new key has used.
     *
     * @param count how many were asked for
     * @param used how many keys were new
     */
    public void giveBack(String tenant, int count, int used) {
        keys.giveBack(tenant, count - used);
    }

    /**
     * As {@link #giveBack(String, int, int)}, with the bytes.
     *
     * @param size how many bytes were asked for
     * @param stored how many were stored
     */
    public void giveBack(String tenant, int count, int used, long size, long stored) {
        giveBack(tenant, count, used);
        bytes.giveBack(tenant, size - stored);
    }

    /** Gives back the room for a result that was not stored. */
    public void giveBackResult(String tenant, long size) {
        bytes.giveBack(tenant, size);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import dev.semel.server.config.LimitSettings;
import java.time.Duration;
import java.util.Optional;

/**
 * Limits how many new keys, and how many bytes, a tenant may store per second.
 *
 * <p>Room is taken before anything is stored and given back if nothing was stored. Known keys and replays therefore
 * cost nothing. A part of the bytes is reserved for results of claims. Their work has already run, so a tenant whose
 * new requests are refused can still settle its claims.
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

    /** Takes room for new keys. Returns the problem if the limit is reached. */
    public Optional<ProblemDetail> tryTake(String tenant, int count) {
        return tryTake(tenant, count, 0);
    }

    /**
     * Takes room for new keys and their data. Returns the problem if a limit is reached.
     *
     * @param size in bytes
     */
    public Optional<ProblemDetail> tryTake(String tenant, int count, long size) {
        Duration keysIn = keys.take(tenant, count, 0);
        if (!keysIn.isZero()) {
            keysLog.reached();
            return Optional.of(ProblemDetail.of(
                            ProblemType.TOO_MANY_NEW_KEYS,
                            "This tenant claimed too many new keys; the limits are"
                                    + " limits.new_keys_per_second and limits.new_keys_at_once")
                    .retryAfter(keysIn));
        }
        Duration bytesIn = size == 0 ? Duration.ZERO : bytes.take(tenant, size, reserve);
        if (!bytesIn.isZero()) {
            keys.giveBack(tenant, count);
            return Optional.of(tooMuch(bytesIn));
        }
        return Optional.empty();
    }

    /**
     * Takes room for the result of a claim, including the reserved part. Returns the problem if the limit is reached.
     */
    public Optional<ProblemDetail> tryTakeResult(String tenant, long size) {
        Duration in = bytes.take(tenant, size, 0);
        return in.isZero() ? Optional.empty() : Optional.of(tooMuch(in));
    }

    private ProblemDetail tooMuch(Duration wait) {
        bytesLog.reached();
        return ProblemDetail.of(
                        ProblemType.TOO_MUCH_NEW_DATA,
                        "This tenant stored too many bytes; the limits are"
                                + " limits.new_bytes_per_second and limits.new_bytes_at_once. Nothing was"
                                + " stored")
                .retryAfter(wait);
    }

    /**
     * Gives back room that was not used for new keys.
     *
     * @param count number of keys that room was taken for
     * @param used number of keys that were new
     */
    public void giveBack(String tenant, int count, int used) {
        keys.giveBack(tenant, count - used);
    }

    /**
     * Like {@link #giveBack(String, int, int)}, including bytes.
     *
     * @param size number of bytes that room was taken for
     * @param stored number of bytes that were stored
     */
    public void giveBack(String tenant, int count, int used, long size, long stored) {
        giveBack(tenant, count, used);
        bytes.giveBack(tenant, size - stored);
    }

    /** Gives back room for a result that was not stored. */
    public void giveBackResult(String tenant, long size) {
        bytes.giveBack(tenant, size);
    }
}

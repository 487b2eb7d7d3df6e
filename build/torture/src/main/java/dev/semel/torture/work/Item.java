// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.work;

import dev.semel.Codec;
import dev.semel.FailureClass;
import dev.semel.Operation;
import dev.semel.ProbeAnswer;
import dev.semel.claim.ClaimKey;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.StalePolicy;
import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * One piece of work that many callers ask for. Every process derives the same properties from its name.
 *
 * @param ttl how long its result is kept; empty for no limit
 * @param bytes the size of its result
 * @param cap after how many attempts it is given up; 0 for no cap
 * @param maxWait how long a duplicate waits
 */
record Item(
        String name,
        Duration lease,
        Optional<Duration> ttl,
        StalePolicy onStale,
        int bytes,
        int cap,
        Duration maxWait) {
    static final String TENANT = "torture";

    /** Longer than any lease and than the time-out of a settlement. */
    private static final int LONG_WAIT_MILLIS = 3_000;

    private static final int[] SIZES = {0, 1, 65_535, 65_536, 70_000, 1 << 20, (4 << 20) + 1, 16 << 20};
    private static final int[] PER_MILLE = {50, 40, 25, 35, 25, 12, 1, 1};

    /** An item whose properties depend on the seed and its name. */
    static Item of(long seed, String name) {
        SplittableRandom random = new SplittableRandom(seed * 31 + name.hashCode());
        Duration lease = Duration.ofMillis(300 + random.nextInt(4) * 400L);
        Optional<Duration> ttl = random.nextInt(3) == 0
                ? Optional.of(Duration.ofMillis(1_200 + random.nextInt(2_000)))
                : Optional.empty();
        int policy = random.nextInt(10);
        StalePolicy onStale = policy == 0 ? StalePolicy.PARK : policy == 1 ? StalePolicy.RECONCILE : StalePolicy.RERUN;
        return new Item(
                name,
                lease,
                ttl,
                onStale,
                size(random),
                random.nextInt(5) == 0 ? 3 : 0,
                Duration.ofMillis(random.nextInt(6) == 0 ? LONG_WAIT_MILLIS : random.nextInt(3) * 400L));
    }

    private static int size(SplittableRandom random) {
        int dice = random.nextInt(1_000);
        for (int i = 0; i < SIZES.length; i++) {
            dice -= PER_MILLE[i];
            if (dice < 0) {
                return SIZES[i];
            }
        }
        return 20 + random.nextInt(400);
    }

    /** The same item whose result is kept for ever, and which is run again when stale. */
    Item forEver() {
        return new Item(name, lease, Optional.empty(), StalePolicy.RERUN, bytes, 0, maxWait);
    }

    /** The same item with at most this many bytes. */
    Item upTo(int most) {
        return new Item(name, lease, ttl, onStale, Math.min(bytes, most), cap, maxWait);
    }

    long ttlMillis() {
        return ttl.map(Duration::toMillis).orElse(0L);
    }

    /** Items that callers confuse have none, because a mismatch would hide that they were confused. */
    Fingerprint fingerprint() {
        return name.startsWith(ConflictWork.KIND) ? Fingerprint.NONE : Fingerprint.of(name);
    }

    ClaimKey key(String scope) {
        return new ClaimKey(TENANT, scope, name);
    }

    /** How the item is made idempotent. */
    Operation<byte[]> operation(String scope) {
        Operation<byte[]> operation = Operation.of(scope, Codec.bytes())
                .withLease(lease)
                .waitingUpTo(maxWait)
                .classifyingFailures(
                        failure -> failure instanceof FinalFailure ? FailureClass.FINAL : FailureClass.RETRYABLE);
        operation = ttl.isPresent() ? operation.withTtl(ttl.get()) : operation.withoutExpiry();
        operation = switch (onStale) {
            case PARK -> operation.parkWhenStale();
            case RECONCILE -> operation.reconcileWhenStale(context -> ProbeAnswer.notDone());
            case RERUN -> operation;
        };
        return cap == 0 ? operation : operation.withAttemptCap(cap);
    }
}

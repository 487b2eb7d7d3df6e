// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import dev.semel.server.config.LimitSettings;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How many new keys a tenant may claim: a bucket that fills steadily up to a bound. A place is taken before the claim,
 * because afterwards the row is there, and given back where the key turned out not to be new.
 */
public final class NewKeyRate {
    private static final int MANY_TENANTS = 10_000;

    private final double perNano;
    private final double most;
    private final ConcurrentHashMap<String, Bucket> buckets = new ConcurrentHashMap<>();

    public NewKeyRate(LimitSettings limits) {
        this.perNano = limits.newKeysPerSecond() / 1e9;
        this.most = limits.newKeysAtOnce();
    }

    /**
     * Takes so many places.
     *
     * @throws ProblemException if there are not as many
     */
    public void take(String tenant, int count) {
        Optional<Problem> refused = tryTake(tenant, count);
        if (refused.isPresent()) {
            throw refused.get().asException();
        }
    }

    /** As {@link #take}; the problem if there are not as many. */
    public Optional<Problem> tryTake(String tenant, int count) {
        if (buckets.size() > MANY_TENANTS) {
            buckets.values().removeIf(Bucket::full);
        }
        Bucket bucket = buckets.computeIfAbsent(tenant, name -> new Bucket());
        double lacking = bucket.take(places(count));
        return lacking > 0
                ? Optional.of(Problem.of(
                                ProblemType.TOO_MANY_NEW_KEYS,
                                "This tenant has claimed too many new keys; the bound is limits.new_keys_per_second")
                        .retryAfter(Duration.ofNanos((long) (lacking / perNano))))
                : Optional.empty();
    }

    /**
     * Gives places back that no new key has used.
     *
     * @param count how many were asked for
     * @param used how many keys were new
     */
    public void giveBack(String tenant, int count, int used) {
        Bucket bucket = buckets.get(tenant);
        int unused = places(count) - used;
        if (bucket != null && unused > 0) {
            bucket.add(unused);
        }
    }

    /** No more than there can ever be: who asks for more would wait for ever. */
    private int places(int count) {
        return Math.min(count, (int) most);
    }

    private final class Bucket {
        private double left = most;
        private long filled = System.nanoTime();

        /** How many are lacking; zero if they were taken. */
        synchronized double take(int count) {
            fill();
            if (left < count) {
                return count - left;
            }
            left -= count;
            return 0;
        }

        synchronized void add(int count) {
            left = Math.min(most, left + count);
        }

        synchronized boolean full() {
            fill();
            return left >= most;
        }

        private void fill() {
            long now = System.nanoTime();
            left = Math.min(most, left + (now - filled) * perNano);
            filled = now;
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A token bucket for each tenant, which fills steadily up to a bound. Tenants' names come from outside, so that there are
 * buckets for so many; tenants beyond that share one, until others rest and theirs are full again.
 */
final class TenantBuckets {
    static final int MAX_TENANTS = 10_000;

    private static final long SWEEP_NANOS = 1_000_000_000L;

    private final double perNano;
    private final double max;
    private final ConcurrentHashMap<String, Bucket> buckets = new ConcurrentHashMap<>();
    private final Bucket shared;
    private final AtomicLong swept = new AtomicLong(System.nanoTime() - SWEEP_NANOS);

    TenantBuckets(double perSecond, double max) {
        this.perNano = perSecond / 1e9;
        this.max = max;
        this.shared = new Bucket();
    }

    /**
     * Takes so much if it is there. What is larger than a bucket needs a full one, and leaves a debt that must be filled
     * first: the rate holds for it too.
     *
     * @param reserve what must be left, as far as a bucket can hold it
     * @return how long to wait for it; zero if it was taken
     */
    Duration take(String tenant, long amount, long reserve) {
        double lacking = bucket(tenant).take((double) amount, (double) reserve);
        return lacking > 0 ? Duration.ofNanos(Math.max(1, (long) (lacking / perNano))) : Duration.ZERO;
    }

    void giveBack(String tenant, long amount) {
        if (amount > 0) {
            buckets.getOrDefault(tenant, shared).add((double) amount);
        }
    }

    private Bucket bucket(String tenant) {
        Bucket known = buckets.get(tenant);
        if (known != null) {
            return known;
        }
        if (buckets.size() >= MAX_TENANTS) {
            sweep();
            if (buckets.size() >= MAX_TENANTS) {
                return shared;
            }
        }
        return buckets.computeIfAbsent(tenant, name -> new Bucket());
    }

    /** Forgets tenants that have rested: a new bucket is a full one. Once a second, because it looks at all of them. */
    private void sweep() {
        long last = swept.get();
        if (System.nanoTime() - last >= SWEEP_NANOS && swept.compareAndSet(last, System.nanoTime())) {
            buckets.values().removeIf(Bucket::full);
        }
    }

    private final class Bucket {
        private double left = max;
        private long filled = System.nanoTime();

        /** How much is lacking; zero if it was taken. */
        synchronized double take(double amount, double reserve) {
            fill();
            double needed = Math.min(amount + reserve, max);
            if (left < needed) {
                return needed - left;
            }
            left -= amount;
            return 0;
        }

        synchronized void add(double amount) {
            left = Math.min(max, left + amount);
        }

        synchronized boolean full() {
            fill();
            return left >= max;
        }

        private void fill() {
            long now = System.nanoTime();
            left = Math.min(max, left + (now - filled) * perNano);
            filled = now;
        }
    }
}

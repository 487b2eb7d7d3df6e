// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A token bucket for each tenant, refilled at a constant rate up to its capacity. The number of buckets is limited,
 * because clients choose tenant names. Tenants beyond the limit share one bucket until full buckets of idle tenants are
 * dropped.
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
     * Takes an amount if it is available. An amount above the capacity requires a full bucket and leaves a debt, so
     * that the rate holds for it too.
     *
     * @param reserve what must remain, up to the capacity
     * @return how long to wait; zero if the amount was taken
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

    /** Drops full buckets: a new bucket starts full as well. Runs once a second, because it visits all buckets. */
    private void sweep() {
        long last = swept.get();
        if (System.nanoTime() - last >= SWEEP_NANOS && swept.compareAndSet(last, System.nanoTime())) {
            buckets.values().removeIf(Bucket::full);
        }
    }

    private final class Bucket {
        private double left = max;
        private long filled = System.nanoTime();

        /** Returns the missing amount; zero if it was taken. */
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

// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.work;

/**
 * A claim as the store granted it to this process.
 *
 * @param leaseEnd when its lease ends at the earliest, in {@link System#nanoTime}
 */
record Held(String token, long fence, long leaseEnd) {
    /** No claim is known: whatever runs now has no lease. */
    static final Held NOTHING = new Held("none", 0, 0);

    Held until(long end) {
        return new Held(token, fence, end);
    }
}

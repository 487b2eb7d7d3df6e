// SPDX-License-Identifier: Apache-2.0
package dev.semel.lane;

/** Is told of the batches of lanes, for metrics. It must not block and must not throw. */
@FunctionalInterface
public interface BatchObserver {
    /**
     * A call has ended; its entries have not got their answers yet.
     *
     * @param entries how many entries it was for
     * @param waitedNanos how long the first of them waited
     * @param tookNanos how long the call took
     * @param answered false if it failed
     */
    void called(int entries, long waitedNanos, long tookNanos, boolean answered);
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.work;

import java.util.SplittableRandom;

/** One kind of work that the threads of a worker repeat. */
interface Workload {
    /** Calls once, for one item or for several. */
    void step(SplittableRandom random) throws Exception;

    /**
     * Calls for an item again after the faults. Returns whether it is settled.
     *
     * @param item the name of an item of this kind of work that was asked for before
     */
    boolean settles(String item, SplittableRandom random) throws Exception;
}

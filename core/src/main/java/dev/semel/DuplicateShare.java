// SPDX-License-Identifier: Apache-2.0
package dev.semel;

/**
 * How many of the latest claims met one that was there already. Where that is common it pays to look before inserting:
 * a read waits for no commit. Approximate; races between callers only blur it.
 */
final class DuplicateShare {
    private static final double HIGH = 0.25;
    private static final int MEMORY = 128;

    private volatile double share;

    void note(boolean duplicate) {
        double before = share;
        share = before + ((duplicate ? 1 : 0) - before) / MEMORY;
    }

    boolean high() {
        return share > HIGH;
    }
}

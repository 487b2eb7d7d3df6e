// SPDX-License-Identifier: Apache-2.0
package dev.semel;

/**
 * The share of recent claims that met an existing one. If it is high, reading before inserting is faster, because a read does
 * not wait for a commit. Races between callers only make it less exact.
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

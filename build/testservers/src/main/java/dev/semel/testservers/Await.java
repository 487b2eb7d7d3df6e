// SPDX-License-Identifier: Apache-2.0
package dev.semel.testservers;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Waits for conditions that can only be polled: the end of processes that are not our children, a server's readiness.
 *
 * <p>An interrupt does not end a wait, because a server could be left running. The interrupt flag is restored.
 */
final class Await {

    private static final long PAUSE_MILLIS = 10;

    private Await() {}

    /** Returns whether the condition became true within the limit. */
    static boolean until(Duration limit, BooleanSupplier condition) {
        long end = System.nanoTime() + limit.toNanos();
        boolean interrupted = false;
        try {
            while (!condition.getAsBoolean()) {
                if (System.nanoTime() - end >= 0) {
                    return false;
                }
                try {
                    Thread.sleep(PAUSE_MILLIS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            return true;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}

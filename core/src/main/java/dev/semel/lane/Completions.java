// SPDX-License-Identifier: Apache-2.0
package dev.semel.lane;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Completes futures whose callbacks belong to others. */
final class Completions {
    private static final Logger LOG = LoggerFactory.getLogger(Completions.class);

    private Completions() {}

    /** Runs a completion. A callback that throws must not keep other callers from their answers. */
    static void run(Runnable completion) {
        try {
            completion.run();
        } catch (Throwable e) {
            LOG.warn(
                    "A callback of a completed call threw {}; other calls are not affected",
                    e.getClass().getName());
        }
    }
}

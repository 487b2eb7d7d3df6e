// SPDX-License-Identifier: Apache-2.0
package dev.semel.testservers;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Whether a started process answers, or has ended before it answered. */
final class Readiness {

    private final Process process;
    private final ServerProcess.Probe probe;
    private boolean reached;
    private @Nullable Exception obstacle;

    Readiness(Process process, ServerProcess.Probe probe) {
        this.process = process;
        this.probe = probe;
    }

    boolean isDecided() {
        // In this order, so that the answer of another server on the port is not mistaken for ours.
        reached = answers() && process.isAlive();
        return reached || !process.isAlive();
    }

    boolean isReached() {
        return reached;
    }

    /** The failure of the last probe. */
    @Nullable
    Exception obstacle() {
        return obstacle;
    }

    private boolean answers() {
        try {
            probe.ask();
            return true;
        } catch (IOException | IllegalStateException e) {
            obstacle = e;
            return false;
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.testservers;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Whether a process that was started has come to answer, or has ended before it could. */
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
        // Asked in this order, so that an answer from some other server on the port is not taken for ours.
        reached = answers() && process.isAlive();
        return reached || !process.isAlive();
    }

    boolean isReached() {
        return reached;
    }

    /** What went wrong when the server was last asked. */
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

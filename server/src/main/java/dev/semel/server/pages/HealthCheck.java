// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.pages;

import java.util.concurrent.CompletionStage;

/** One thing that the server depends on. */
public interface HealthCheck {
    /** How it is. */
    enum State {
        UP,
        /** The server answers correctly, only more slowly. */
        DEGRADED,
        /** The server cannot do its work. */
        DOWN
    }

    String name();

    /** Answers soon, whatever happens. */
    CompletionStage<State> state();
}

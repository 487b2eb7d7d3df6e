// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.pages;

import java.util.concurrent.CompletionStage;

/** Checks one dependency of the server. */
public interface HealthCheck {
    /** The state of the dependency. */
    enum State {
        UP,
        /** The server works correctly but more slowly. */
        DEGRADED,
        /** The server cannot handle requests. */
        DOWN
    }

    String name();

    /** Returns the state. It must complete quickly, even if the dependency does not respond. */
    CompletionStage<State> state();
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.lane.Environment;
import dev.semel.spi.ClaimStore;
import org.jspecify.annotations.NullMarked;

/** Builds engines whose time, threads and random numbers come from a simulation. In this package, because it is not API. */
@NullMarked
public final class SimulatedEngines {
    private SimulatedEngines() {}

    /** An engine on this store, in this environment. */
    public static SemelBuilder on(ClaimStore store, Environment environment) {
        SemelBuilder builder = Semel.on(store);
        builder.environment = environment;
        return builder;
    }
}

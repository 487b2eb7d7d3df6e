// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.doctor;

import dev.semel.server.config.DatabaseSettings;
import java.util.Optional;

/** Compares the pool with the connections of the server. */
final class PoolCheck {
    private PoolCheck() {}

    /**
     * Finds a pool that is larger than the server allows.
     *
     * @param raise how to raise the server's limit; contains the number
     */
    static Optional<Finding> of(DatabaseSettings settings, int usable, String raise) {
        if (settings.poolSize() <= usable) {
            return Optional.empty();
        }
        return Optional.of(Finding.warning(
                "pool_size",
                "database.pool_size is %d, but the database accepts %d connections in all: under load, requests fail"
                        .formatted(settings.poolSize(), usable),
                "Set database.pool_size: %d, divided by the number of instances. Or: %s"
                        .formatted(usable, raise.formatted(settings.poolSize() + 10))));
    }
}

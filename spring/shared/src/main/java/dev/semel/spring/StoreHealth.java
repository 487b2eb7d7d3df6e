// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring;

import dev.semel.Semel;
import dev.semel.claim.ClaimKey;
import dev.semel.claim.ClaimRef;
import dev.semel.spi.ClaimStore;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Asks the store for a claim that does not exist. The starters show the answer in Actuator's health. */
public final class StoreHealth {
    private final ClaimStore store;
    private final ClaimRef probe;
    private final Map<String, Object> details;

    StoreHealth(Semel semel, ClaimStore store, @Nullable EngineStore configured) {
        this.store = store;
        this.probe = semel.refOf(new ClaimKey("semel", "semel.health", "probe"));
        this.details = configured == null ? Map.of("store", store.getClass().getSimpleName()) : configured.details();
    }

    /**
     * Reads from the store.
     *
     * @throws dev.semel.claim.StoreException if it does not answer
     */
    public void check() {
        store.read(List.of(probe));
    }

    /** Where the claims are. */
    public Map<String, Object> details() {
        return details;
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring;

import dev.semel.Semel;
import dev.semel.claim.ClaimKey;
import dev.semel.spi.ClaimStore;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Asks the store for a claim that does not exist. The starters show the answer in Actuator's health. */
public final class StoreHealth {
    private static final ClaimKey PROBE = new ClaimKey("semel", "semel.health", "probe");

    private final Supplier<Semel> semel;
    private final Supplier<ClaimStore> store;
    private final @Nullable EngineStore configured;

    /** The engine is not asked for yet, because its store may still be checked. */
    StoreHealth(Supplier<Semel> semel, Supplier<ClaimStore> store, @Nullable EngineStore configured) {
        this.semel = semel;
        this.store = store;
        this.configured = configured;
    }

    /**
     * Reads from the store.
     *
     * @throws dev.semel.claim.StoreException if it does not answer
     */
    public void check() {
        store.get().read(List.of(semel.get().refOf(PROBE)));
    }

    /** Where the claims are. */
    public Map<String, Object> details() {
        return configured == null ? Map.of("store", store.get().getClass().getSimpleName()) : configured.details();
    }
}

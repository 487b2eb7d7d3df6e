// SPDX-License-Identifier: Apache-2.0
package dev.semel.test;

import dev.semel.claim.StoreException;
import dev.semel.claim.StoreException.Kind;
import dev.semel.memory.MemoryClaimStore;
import dev.semel.testkit.FaultyStore;
import java.time.InstantSource;

/** The claims that all processes of a test share. A reset replaces them. */
final class SharedClaims {
    private final InstantSource clock;
    private volatile Claims current;
    private volatile boolean down;

    SharedClaims(InstantSource clock) {
        this.clock = clock;
        this.current = Claims.none(clock);
    }

    MemoryClaimStore memory() {
        return current.memory();
    }

    FaultyStore faults() {
        return current.faults();
    }

    boolean isDown() {
        return down;
    }

    void setDown(boolean value) {
        down = value;
    }

    /** Why a call fails while the store is down. */
    static StoreException down(Kind kind) {
        return new StoreException(kind, "The store is down, because the test called storeDown()");
    }

    void reset() {
        down = false;
        // Calls that hang in a fault would otherwise hang for ever.
        current.faults().heal();
        current = Claims.none(clock);
    }

    private record Claims(MemoryClaimStore memory, FaultyStore faults) {
        static Claims none(InstantSource clock) {
            MemoryClaimStore memory = new MemoryClaimStore(clock);
            return new Claims(memory, new FaultyStore(memory));
        }
    }
}

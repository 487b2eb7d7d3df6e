// SPDX-License-Identifier: Apache-2.0
package dev.semel.testkit;

import dev.semel.claim.ClaimRef;
import dev.semel.memory.MemoryClaimStore;
import dev.semel.spi.CacheEpoch;
import dev.semel.spi.ClaimBrowser;
import dev.semel.spi.ClaimStore;
import java.time.Duration;

/** A {@link FaultyStore} without faults is the store that it wraps: whatever a test finds, the fault brought about. */
class FaultlessStoreContractTest extends ClaimStoreContract {
    private static final MemoryClaimStore MEMORY = new MemoryClaimStore();
    private static final FaultyStore FIRST = new FaultyStore(MEMORY);
    private static final FaultyStore SECOND = new FaultyStore(MEMORY);

    @Override
    protected ClaimStore store() {
        return FIRST;
    }

    @Override
    protected ClaimStore secondStore() {
        return SECOND;
    }

    @Override
    protected ClaimBrowser browser() {
        return MEMORY;
    }

    @Override
    protected CacheEpoch epoch() {
        return MEMORY;
    }

    @Override
    protected CacheEpoch secondEpoch() {
        return MEMORY;
    }

    @Override
    protected void age(ClaimRef ref, Duration by) {
        MEMORY.age(ref, by);
    }
}

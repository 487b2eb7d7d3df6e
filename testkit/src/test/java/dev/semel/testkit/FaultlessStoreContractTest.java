// SPDX-License-Identifier: Apache-2.0
package dev.semel.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.claim.ClaimRef;
import dev.semel.memory.MemoryClaimStore;
import dev.semel.spi.CacheEpoch;
import dev.semel.spi.ClaimBrowser;
import dev.semel.spi.ClaimStore;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * A {@link FaultyStore} without faults passes the contract, so what a test observes with it is caused by a fault. It
 * implements {@link ClaimStore} only: the contract asks for nothing else.
 */
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
    protected void age(ClaimRef ref, Duration by) {
        MEMORY.age(ref, by);
    }

    @Test
    void theStoreImplementsOnlyTheMandatoryInterface() {
        assertThat(FIRST).isNotInstanceOf(ClaimBrowser.class).isNotInstanceOf(CacheEpoch.class);
    }
}

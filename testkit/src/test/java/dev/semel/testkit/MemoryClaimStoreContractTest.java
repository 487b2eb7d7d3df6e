// SPDX-License-Identifier: Apache-2.0
package dev.semel.testkit;

import dev.semel.claim.ClaimRef;
import dev.semel.memory.MemoryClaimStore;
import dev.semel.spi.CacheEpoch;
import dev.semel.spi.ClaimBrowser;
import dev.semel.spi.ClaimStore;
import dev.semel.spi.HistoryStore;
import dev.semel.spi.JobLeases;
import java.time.Duration;
import org.junit.jupiter.api.Nested;

class MemoryClaimStoreContractTest extends ClaimStoreContract {
    private static final MemoryClaimStore STORE = new MemoryClaimStore();

    @Override
    protected ClaimStore store() {
        return STORE;
    }

    /** Memory has no second process, so both stores are the same instance. */
    @Override
    protected ClaimStore secondStore() {
        return STORE;
    }

    @Override
    protected void age(ClaimRef ref, Duration by) {
        STORE.age(ref, by);
    }

    @Nested
    class Browser extends ClaimBrowserContract {
        Browser() {
            super(MemoryClaimStoreContractTest.this);
        }

        @Override
        protected ClaimBrowser browser() {
            return STORE;
        }
    }

    @Nested
    class History extends HistoryStoreContract {
        History() {
            super(MemoryClaimStoreContractTest.this);
        }

        @Override
        protected HistoryStore history() {
            return STORE;
        }
    }

    @Nested
    class Jobs extends JobLeasesContract {
        Jobs() {
            super(MemoryClaimStoreContractTest.this);
        }

        @Override
        protected JobLeases jobs() {
            return STORE;
        }

        @Override
        protected JobLeases secondJobs() {
            return STORE;
        }
    }

    @Nested
    class Epoch extends CacheEpochContract {
        Epoch() {
            super(MemoryClaimStoreContractTest.this);
        }

        @Override
        protected CacheEpoch epoch() {
            return STORE;
        }

        @Override
        protected CacheEpoch secondEpoch() {
            return STORE;
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Digest;
import dev.semel.spi.CacheEpoch;
import dev.semel.spi.ClaimBrowser;
import dev.semel.spi.ClaimStore;
import dev.semel.spi.HistoryEntry;
import dev.semel.spi.HistoryEntry.Kind;
import dev.semel.spi.HistoryStore;
import dev.semel.spi.JobLeases;
import dev.semel.testkit.CacheEpochContract;
import dev.semel.testkit.ClaimBrowserContract;
import dev.semel.testkit.ClaimStoreContract;
import dev.semel.testkit.HistoryStoreContract;
import dev.semel.testkit.JobLeasesContract;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** All contracts, for two stores on one database. */
abstract class JdbcStoreContract extends ClaimStoreContract {
    record Opened(ClaimDatabase database, JdbcClaimStore first, JdbcClaimStore second) {}

    /** Returns the same for all tests of the class. */
    abstract Opened opened();

    @Override
    protected ClaimStore store() {
        return opened().first();
    }

    @Override
    protected ClaimStore secondStore() {
        return opened().second();
    }

    @Override
    protected void age(ClaimRef ref, Duration by) {
        opened().database().age(ref, by);
    }

    @Nested
    class Browser extends ClaimBrowserContract {
        Browser() {
            super(JdbcStoreContract.this);
        }

        @Override
        protected ClaimBrowser browser() {
            return opened().first();
        }
    }

    @Nested
    class History extends HistoryStoreContract {
        History() {
            super(JdbcStoreContract.this);
        }

        @Override
        protected HistoryStore history() {
            return opened().first();
        }

        @Test
        void claimsThatWereParkedLately_eachOnceAndTheLastOneFirst() {
            ClaimRef first = parked(1);
            ClaimRef second = parked(2);
            history()
                    .add(List.of(
                            entry(Kind.PARKED, first), entry(Kind.PARKED, second), entry(Kind.TAKEN_OVER, parked(3))));
            history().add(List.of(entry(Kind.PARKED, first)));

            assertThat(opened().first().parked(2)).containsExactly(first, second);
            assertThat(opened().first().parked(1)).containsExactly(first);
        }

        private static ClaimRef parked(int number) {
            byte[] digest = new byte[Digest.LENGTH];
            Arrays.fill(digest, (byte) number);
            return new ClaimRef("parked-lately", new Digest(digest));
        }

        private static HistoryEntry entry(Kind kind, ClaimRef ref) {
            return HistoryEntry.of(kind, ref, "pay", 1, null);
        }
    }

    @Nested
    class Jobs extends JobLeasesContract {
        Jobs() {
            super(JdbcStoreContract.this);
        }

        @Override
        protected JobLeases jobs() {
            return opened().first();
        }

        @Override
        protected JobLeases secondJobs() {
            return opened().second();
        }
    }

    @Nested
    class Epoch extends CacheEpochContract {
        Epoch() {
            super(JdbcStoreContract.this);
        }

        @Override
        protected CacheEpoch epoch() {
            return opened().first();
        }

        @Override
        protected CacheEpoch secondEpoch() {
            return opened().second();
        }
    }
}

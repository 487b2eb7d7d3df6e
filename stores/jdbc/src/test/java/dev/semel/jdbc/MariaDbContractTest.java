// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.claim.ClaimRef;
import dev.semel.spi.CacheEpoch;
import dev.semel.spi.ClaimBrowser;
import dev.semel.spi.ClaimStore;
import dev.semel.spi.HistoryStore;
import dev.semel.spi.JobLeases;
import dev.semel.testkit.CacheEpochContract;
import dev.semel.testkit.ClaimBrowserContract;
import dev.semel.testkit.ClaimStoreContract;
import dev.semel.testkit.HistoryStoreContract;
import dev.semel.testkit.JobLeasesContract;
import dev.semel.testservers.MariaDbServer;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;

@Order(1)
class MariaDbContractTest extends ClaimStoreContract {
    private static ClaimDatabase database;
    private static JdbcClaimStore first;
    private static JdbcClaimStore second;

    @BeforeAll
    static void open() {
        database = ClaimDatabase.mariadb(MariaDbServer.shared());
        first = JdbcClaimStore.migrating(database.pool(8));
        second = JdbcClaimStore.on(database.pool(8));
    }

    @AfterAll
    static void close() throws Exception {
        database.close();
    }

    @Override
    protected ClaimStore store() {
        return first;
    }

    @Override
    protected ClaimStore secondStore() {
        return second;
    }

    @Override
    protected void age(ClaimRef ref, Duration by) {
        database.age(ref, by);
    }

    @Nested
    class Browser extends ClaimBrowserContract {
        Browser() {
            super(MariaDbContractTest.this);
        }

        @Override
        protected ClaimBrowser browser() {
            return first;
        }
    }

    @Nested
    class History extends HistoryStoreContract {
        History() {
            super(MariaDbContractTest.this);
        }

        @Override
        protected HistoryStore history() {
            return first;
        }
    }

    @Nested
    class Jobs extends JobLeasesContract {
        Jobs() {
            super(MariaDbContractTest.this);
        }

        @Override
        protected JobLeases jobs() {
            return first;
        }

        @Override
        protected JobLeases secondJobs() {
            return second;
        }
    }

    @Nested
    class Epoch extends CacheEpochContract {
        Epoch() {
            super(MariaDbContractTest.this);
        }

        @Override
        protected CacheEpoch epoch() {
            return first;
        }

        @Override
        protected CacheEpoch secondEpoch() {
            return second;
        }
    }
}

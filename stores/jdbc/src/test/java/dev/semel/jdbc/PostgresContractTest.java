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
import dev.semel.testservers.PostgresServer;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;

/** The second instance uses no named prepared statements, as docs/databases.md requires for PgBouncer. */
@Order(1)
class PostgresContractTest extends ClaimStoreContract {
    private static ClaimDatabase database;
    private static JdbcClaimStore first;
    private static JdbcClaimStore second;

    @BeforeAll
    static void open() {
        database = ClaimDatabase.postgres(PostgresServer.shared());
        first = JdbcClaimStore.migrating(database.pool(8));
        second = JdbcClaimStore.on(database.unpreparedPool(8));
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
            super(PostgresContractTest.this);
        }

        @Override
        protected ClaimBrowser browser() {
            return first;
        }
    }

    @Nested
    class History extends HistoryStoreContract {
        History() {
            super(PostgresContractTest.this);
        }

        @Override
        protected HistoryStore history() {
            return first;
        }
    }

    @Nested
    class Jobs extends JobLeasesContract {
        Jobs() {
            super(PostgresContractTest.this);
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
            super(PostgresContractTest.this);
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

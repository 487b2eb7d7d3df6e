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
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.io.TempDir;

@Order(1)
class SqliteContractTest extends ClaimStoreContract {
    @TempDir
    private static Path folder;

    private static ClaimDatabase database;
    private static JdbcClaimStore first;
    private static JdbcClaimStore second;

    @BeforeAll
    static void open() {
        Path file = folder.resolve("claims.db");
        database = ClaimDatabase.sqlite(file);
        first = database.closing(JdbcClaimStore.sqlite(file));
        second = database.closing(JdbcClaimStore.sqlite(file));
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
            super(SqliteContractTest.this);
        }

        @Override
        protected ClaimBrowser browser() {
            return first;
        }
    }

    @Nested
    class History extends HistoryStoreContract {
        History() {
            super(SqliteContractTest.this);
        }

        @Override
        protected HistoryStore history() {
            return first;
        }
    }

    @Nested
    class Jobs extends JobLeasesContract {
        Jobs() {
            super(SqliteContractTest.this);
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
            super(SqliteContractTest.this);
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

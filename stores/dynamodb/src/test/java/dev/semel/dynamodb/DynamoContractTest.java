// SPDX-License-Identifier: Apache-2.0
package dev.semel.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Status;
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
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

@Order(1)
class DynamoContractTest extends ClaimStoreContract {
    private static final String TABLE = "contract";

    private static DynamoDbAsyncClient one;
    private static DynamoDbAsyncClient other;
    private static DynamoClaimStore first;
    private static DynamoClaimStore second;

    @BeforeAll
    static void open() {
        one = DynamoAccess.client();
        other = DynamoAccess.client();
        first = DynamoClaimStore.creating(one, TABLE).withRequestTimeout(DynamoAccess.PATIENT);
        second = DynamoClaimStore.on(other, TABLE).withRequestTimeout(DynamoAccess.PATIENT);
    }

    @AfterAll
    static void close() {
        try {
            onlyExpiredClaimsMayBeDeletedByDynamoDb();
        } finally {
            one.close();
            other.close();
        }
    }

    /** After everything that the contract has done: DynamoDB's own time to live is only on rows that nothing depends on. */
    private static void onlyExpiredClaimsMayBeDeletedByDynamoDb() {
        for (Map<String, AttributeValue> item : DynamoAccess.rows(one, TABLE)) {
            Long ttl = DynamoValues.numberOrNull(item, DynamoTimeToLive.ATTRIBUTE);
            if (ttl != null && ttl < DynamoTimeToLive.NEVER) {
                DynamoRow row = new DynamoRow(item);
                assertThat(row.status()).isIn(Status.SUCCEEDED, Status.FAILED, Status.RETRYABLE);
                assertThat(row.pointers()).isEmpty();
                assertThat(row.aliasOf()).isNull();
                assertThat(row.expiresAt())
                        .isNotNull()
                        .isLessThanOrEqualTo((ttl - DynamoTimeToLive.GRACE_SECONDS) * DynamoClock.SECOND);
            }
        }
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
        DynamoAccess.age(one, TABLE, ref, by);
    }

    /** Two seconds between the servers' clocks, and up to two in which the time is uncertain. */
    @Override
    protected Duration clockMargin() {
        return Duration.ofSeconds(5);
    }

    @Nested
    class Browser extends ClaimBrowserContract {
        Browser() {
            super(DynamoContractTest.this);
        }

        @Override
        protected ClaimBrowser browser() {
            return second;
        }
    }

    @Nested
    class History extends HistoryStoreContract {
        History() {
            super(DynamoContractTest.this);
        }

        @Override
        protected HistoryStore history() {
            return first;
        }
    }

    @Nested
    class Jobs extends JobLeasesContract {
        Jobs() {
            super(DynamoContractTest.this);
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
            super(DynamoContractTest.this);
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

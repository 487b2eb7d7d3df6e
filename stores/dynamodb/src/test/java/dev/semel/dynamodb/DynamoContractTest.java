// SPDX-License-Identifier: Apache-2.0
package dev.semel.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Status;
import dev.semel.spi.CacheEpoch;
import dev.semel.spi.ClaimStore;
import dev.semel.spi.HistoryStore;
import dev.semel.spi.JobLeases;
import dev.semel.testkit.CacheEpochContract;
import dev.semel.testkit.ClaimStoreContract;
import dev.semel.testkit.HistoryStoreContract;
import dev.semel.testkit.JobLeasesContract;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The contract of browsers is {@link DynamoBrowserContractTest}. */
@Order(1)
class DynamoContractTest extends ClaimStoreContract {
    private static final String TABLE = "contract";

    private static DynamoContractStores stores;

    @BeforeAll
    static void open() {
        stores = DynamoContractStores.in(TABLE);
    }

    @AfterAll
    static void close() {
        try {
            onlyExpiredClaimsMayBeDeletedByDynamoDb();
        } finally {
            stores.close();
        }
    }

    /** After everything that the contract has done: DynamoDB's own time to live is only on rows that nothing depends on. */
    private static void onlyExpiredClaimsMayBeDeletedByDynamoDb() {
        for (Map<String, AttributeValue> item : DynamoAccess.rows(stores.client(), TABLE)) {
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
        return stores.store();
    }

    @Override
    protected ClaimStore secondStore() {
        return stores.secondStore();
    }

    @Override
    protected void age(ClaimRef ref, Duration by) {
        stores.age(ref, by);
    }

    @Override
    protected Duration clockMargin() {
        return stores.clockMargin();
    }

    @Nested
    class History extends HistoryStoreContract {
        History() {
            super(DynamoContractTest.this);
        }

        @Override
        protected HistoryStore history() {
            return stores.store();
        }
    }

    @Nested
    class Jobs extends JobLeasesContract {
        Jobs() {
            super(DynamoContractTest.this);
        }

        @Override
        protected JobLeases jobs() {
            return stores.store();
        }

        @Override
        protected JobLeases secondJobs() {
            return stores.secondStore();
        }
    }

    @Nested
    class Epoch extends CacheEpochContract {
        Epoch() {
            super(DynamoContractTest.this);
        }

        @Override
        protected CacheEpoch epoch() {
            return stores.store();
        }

        @Override
        protected CacheEpoch secondEpoch() {
            return stores.secondStore();
        }
    }
}

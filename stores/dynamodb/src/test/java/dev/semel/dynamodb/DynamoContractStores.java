// SPDX-License-Identifier: Apache-2.0
package dev.semel.dynamodb;

import dev.semel.claim.ClaimRef;
import dev.semel.testkit.ClaimStoreContract;
import java.time.Duration;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** Two processes over one table, for the contracts. No test class itself. */
final class DynamoContractStores extends ClaimStoreContract implements AutoCloseable {
    private final String table;
    private final DynamoDbAsyncClient one = DynamoAccess.client();
    private final DynamoDbAsyncClient other = DynamoAccess.client();
    private final DynamoClaimStore first;
    private final DynamoClaimStore second;

    private DynamoContractStores(String table) {
        this.table = table;
        this.first = DynamoClaimStore.creating(one, table).withRequestTimeout(DynamoAccess.PATIENT);
        this.second = DynamoClaimStore.on(other, table).withRequestTimeout(DynamoAccess.PATIENT);
    }

    static DynamoContractStores in(String table) {
        return new DynamoContractStores(table);
    }

    DynamoDbAsyncClient client() {
        return one;
    }

    @Override
    protected DynamoClaimStore store() {
        return first;
    }

    @Override
    protected DynamoClaimStore secondStore() {
        return second;
    }

    @Override
    protected void age(ClaimRef ref, Duration by) {
        DynamoAccess.age(one, table, ref, by);
    }

    /** Two seconds between the servers' clocks, and up to two in which the time is uncertain. */
    @Override
    protected Duration clockMargin() {
        return Duration.ofSeconds(5);
    }

    @Override
    public void close() {
        one.close();
        other.close();
    }
}

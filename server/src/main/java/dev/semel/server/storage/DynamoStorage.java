// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.storage;

import dev.semel.claim.StoreException;
import dev.semel.dynamodb.DynamoClaimStore;
import dev.semel.server.config.ConfigException;
import dev.semel.server.config.DynamoUrl;
import dev.semel.spi.CacheEpoch;
import dev.semel.spi.HistoryStore;

/** A table in DynamoDB, which holds claims and their history only. */
public final class DynamoStorage implements Storage {
    private final DynamoConnection connection;
    private final DynamoClaimStore claims;

    private DynamoStorage(DynamoConnection connection, DynamoClaimStore claims) {
        this.connection = connection;
        this.claims = claims;
    }

    /** @throws ConfigException if the table is missing, is not one of Semel's, or cannot be read */
    static DynamoStorage open(DynamoUrl address) {
        DynamoConnection connection = DynamoConnection.open(address);
        try {
            return new DynamoStorage(connection, DynamoClaimStore.on(connection.client(), address.table()));
        } catch (StoreException e) {
            connection.close();
            throw connection.unusable(e);
        } catch (RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    @Override
    public DynamoClaimStore claims() {
        return claims;
    }

    @Override
    public HistoryStore history() {
        return claims;
    }

    @Override
    public CacheEpoch epoch() {
        return claims;
    }

    @Override
    public String product() {
        return "Amazon DynamoDB, table %s in %s"
                .formatted(connection.address().table(), connection.address().region());
    }

    @Override
    public void close() {
        connection.close();
    }
}

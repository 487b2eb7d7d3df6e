// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.storage;

import dev.semel.claim.StoreException;
import dev.semel.server.config.ConfigException;
import dev.semel.server.config.DatabaseSettings;
import dev.semel.spi.CacheEpoch;
import dev.semel.spi.ClaimStore;
import dev.semel.spi.HistoryStore;
import java.util.Optional;

/** The configured database. Every kind has claims with their history; an SQL database has more. */
public sealed interface Storage extends AutoCloseable permits SqlStorage, DynamoStorage {
    /**
     * Connects, and creates or updates the tables of an SQL database. A table in DynamoDB must exist: another, empty table, created
     * because of a mistyped name, would know no key.
     *
     * @throws ConfigException if the database is unavailable or contains foreign tables with Semel's names
     */
    static Storage open(DatabaseSettings settings) {
        return open(settings, SchemaMode.MIGRATE);
    }

    /**
     * Connects, and migrates or checks the schema.
     *
     * @throws ConfigException if the database is unavailable, lacks tables, or contains foreign tables with Semel's names
     */
    static Storage open(DatabaseSettings settings, SchemaMode schema) {
        return settings.dynamo().<Storage>map(DynamoStorage::open).orElseGet(() -> SqlStorage.open(settings, schema));
    }

    /** Returns the claims, which operators can list and decide. */
    ClaimStore claims();

    /** Returns the history of the claims. */
    HistoryStore history();

    /** Returns the epoch of the replay caches, which also shows whether the database answers. */
    CacheEpoch epoch();

    /**
     * Returns the name of the database, for operators.
     *
     * @throws StoreException if the database does not answer
     */
    String product();

    /** Returns this if it is an SQL database, which also has the ledger, the call events and the inbox. */
    default Optional<SqlStorage> sql() {
        return this instanceof SqlStorage sql ? Optional.of(sql) : Optional.empty();
    }

    @Override
    void close();
}

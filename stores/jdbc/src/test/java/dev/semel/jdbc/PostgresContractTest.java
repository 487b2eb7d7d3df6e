// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.testservers.PostgresServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;

/** The second instance uses no named prepared statements, as docs/databases.md requires for PgBouncer. */
@Order(1)
class PostgresContractTest extends JdbcStoreContract {
    private static Opened opened;

    @BeforeAll
    static void open() {
        ClaimDatabase database = ClaimDatabase.postgres(PostgresServer.shared());
        opened = new Opened(
                database, JdbcClaimStore.migrating(database.pool(8)), JdbcClaimStore.on(database.unpreparedPool(8)));
    }

    @AfterAll
    static void close() throws Exception {
        opened.database().close();
    }

    @Override
    Opened opened() {
        return opened;
    }
}

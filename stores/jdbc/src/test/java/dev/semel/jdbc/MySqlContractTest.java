// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.testservers.MySqlServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;

@Order(1)
@Tag("mysql")
class MySqlContractTest extends JdbcStoreContract {
    private static Opened opened;

    @BeforeAll
    static void open() {
        ClaimDatabase database = ClaimDatabase.mariadb(MySqlServer.shared());
        // The second instance prepares its statements on the server.
        opened = new Opened(
                database,
                JdbcClaimStore.migrating(database.defaultPool(8)),
                JdbcClaimStore.on(database.preparedPool(8)));
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

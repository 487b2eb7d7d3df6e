// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.io.TempDir;

@Order(1)
class SqliteContractTest extends JdbcStoreContract {
    @TempDir
    private static Path folder;

    private static Opened opened;

    @BeforeAll
    static void open() {
        Path file = folder.resolve("claims.db");
        ClaimDatabase database = ClaimDatabase.sqlite(file);
        opened = new Opened(
                database, database.closing(JdbcClaimStore.sqlite(file)), database.closing(JdbcClaimStore.sqlite(file)));
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

// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.server.config.DatabaseSettings;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SQLite's only connection goes to the thread that has waited longest. */
class SqliteConcurrencyTest {
    @TempDir
    Path folder;

    @Test
    void aBusyThreadDoesNotKeepTheConnectionFromAnother() throws Exception {
        String url = "jdbc:sqlite:" + folder.resolve("semel.db");
        try (SqlStorage storage = SqlStorage.open(
                new DatabaseSettings(url, Optional.empty(), Optional.empty(), Optional.empty(), 1),
                SchemaMode.MIGRATE)) {
            for (int i = 0; i < 20; i++) {
                List<String> order = new CopyOnWriteArrayList<>();
                Thread waiting = new Thread(() -> borrow(storage, order, "waiting"));
                try (Connection busy = storage.dataSource().getConnection()) {
                    assertThat(busy.isClosed()).isFalse();
                    waiting.start();
                    await().until(() -> waiting.getState() == Thread.State.TIMED_WAITING);
                }
                borrow(storage, order, "busy");
                waiting.join();

                assertThat(order).containsExactly("waiting", "busy");
            }
        }
    }

    private static void borrow(SqlStorage storage, List<String> order, String name) {
        try (Connection connection = storage.dataSource().getConnection()) {
            order.add(name);
            assertThat(connection.isClosed()).isFalse();
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }
}

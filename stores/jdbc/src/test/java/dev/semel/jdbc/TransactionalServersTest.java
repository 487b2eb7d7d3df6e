// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.claim.StoreException;
import dev.semel.key.Secrets;
import dev.semel.testservers.DatabaseServer;
import dev.semel.testservers.MariaDbServer;
import dev.semel.testservers.MySqlServer;
import dev.semel.testservers.PostgresServer;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Servers that cannot support claims inside a transaction are rejected at startup. */
class TransactionalServersTest {
    private static final Secrets SECRETS = Secrets.of("0123456789abcdef0123456789abcdef");

    @Test
    void aServerThatRollsBackTheTransactionOnALockTimeoutIsRejected() throws Exception {
        isRejected(MariaDbServer.start(Map.of("innodb_rollback_on_timeout", "ON")));
    }

    @Test
    @Tag("mysql")
    void aServerThatRollsBackTheTransactionOnALockTimeoutIsRejected_onMySql() throws Exception {
        isRejected(MySqlServer.start(Map.of("innodb_rollback_on_timeout", "ON")));
    }

    private static void isRejected(DatabaseServer started) throws Exception {
        try (DatabaseServer server = started;
                ClaimDatabase database = ClaimDatabase.on(server)) {
            JdbcClaimStore store = JdbcClaimStore.migrating(database.pool(1));

            assertThatThrownBy(() -> TransactionalClaims.on(store, SECRETS))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("innodb_rollback_on_timeout");
        }
    }

    @Test
    void withoutTablesTheMessageContainsTheStatements() throws Exception {
        try (ClaimDatabase database = ClaimDatabase.postgres(PostgresServer.shared())) {
            assertThatThrownBy(() -> TransactionalClaims.on(database.pool(1), SECRETS))
                    .isInstanceOf(SchemaException.class)
                    .hasMessageContaining("CREATE TABLE idempotency_keys");
        }
    }
}

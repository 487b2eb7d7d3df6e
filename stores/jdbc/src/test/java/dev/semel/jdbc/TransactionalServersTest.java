// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.claim.StoreException;
import dev.semel.key.Secret;
import dev.semel.testservers.MariaDbServer;
import dev.semel.testservers.PostgresServer;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Servers that cannot support claims inside a transaction are rejected at startup. */
class TransactionalServersTest {
    private static final Secret SECRET = Secret.of("0123456789abcdef0123456789abcdef");

    @Test
    void aServerThatRollsBackTheTransactionOnALockTimeoutIsRejected() throws Exception {
        try (MariaDbServer server = MariaDbServer.start(Map.of("innodb_rollback_on_timeout", "ON"));
                TestDatabase database = TestDatabase.mariadb(server)) {
            JdbcClaimStore store = JdbcClaimStore.migrating(database.pool(1));

            assertThatThrownBy(() -> TransactionalClaims.on(store, SECRET))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("innodb_rollback_on_timeout");
        }
    }

    @Test
    void withoutTablesTheMessageContainsTheStatements() throws Exception {
        try (TestDatabase database = TestDatabase.postgres(PostgresServer.shared())) {
            assertThatThrownBy(() -> TransactionalClaims.on(database.pool(1), SECRET))
                    .isInstanceOf(SchemaException.class)
                    .hasMessageContaining("CREATE TABLE idempotency_keys");
        }
    }
}

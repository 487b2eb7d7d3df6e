// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.Codec;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.claim.ClaimKey;
import dev.semel.key.Secrets;
import dev.semel.testservers.DatabaseKind;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Base of tests of claims in a transaction: a database of one kind, claims in it, and a table for effects. */
abstract class TransactionalCase {
    static final Operation<String> PAY = Operation.of("pay", Codec.text());
    static final ClaimKey KEY = PAY.key("acme", "order-17");

    static final Secrets SECRETS = Secrets.of("0123456789abcdef0123456789abcdef");

    final DatabaseKind kind;
    ClaimDatabase database;
    JdbcClaimStore store;
    TransactionalClaims claims;
    Effects effects;

    @TempDir
    private Path folder;

    TransactionalCase(DatabaseKind kind) {
        this.kind = kind;
    }

    @BeforeEach
    void open() {
        Path file = folder.resolve("claims.db");
        database = ClaimDatabase.of(kind, file);
        store = database.store(4);
        effects = Effects.in(database);
        claims = TransactionalClaims.on(store, SECRETS);
    }

    @AfterEach
    void close() throws Exception {
        database.close();
    }

    Connection begin() throws SQLException {
        Connection connection = store.dataSource().getConnection();
        connection.setAutoCommit(false);
        return connection;
    }

    static void end(Connection connection) throws SQLException {
        connection.rollback();
        connection.setAutoCommit(true);
        connection.close();
    }

    Outcome<String> pay(Connection connection, String name) {
        return claims.execute(connection, PAY, KEY, run -> {
            Effects.add(connection, name);
            return name;
        });
    }
}

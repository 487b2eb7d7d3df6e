// SPDX-License-Identifier: Apache-2.0
package dev.semel.examples;

import dev.semel.Codec;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.jdbc.JdbcClaimStore;
import dev.semel.jdbc.TransactionalClaims;
import dev.semel.key.Secrets;
import java.nio.file.Path;
import java.sql.Statement;

/** Writes an entry, its key and its result in one commit. Run it twice with the same file: there is one entry. */
public final class OnceInTransaction {
    private static final Operation<String> POST = Operation.of("ledger.post", Codec.text());

    private OnceInTransaction() {}

    public static void main(String[] arguments) {
        Path file = Path.of(arguments.length > 0 ? arguments[0] : "claims.db");
        Secrets secrets = Secrets.of("change-me: at least 32 random bytes");
        try (JdbcClaimStore store = JdbcClaimStore.sqlite(file)) {
            TransactionalClaims claims = TransactionalClaims.on(store, secrets);
            Outcome<String> outcome = claims.inTransaction(POST, POST.key("acme", "order-17"), (connection, run) -> {
                try (Statement statement = connection.createStatement()) {
                    statement.execute("CREATE TABLE IF NOT EXISTS ledger (entry TEXT)");
                    statement.execute("INSERT INTO ledger VALUES ('order-17: 100 EUR')");
                }
                System.out.println("writing the entry");
                return "entry 4711";
            });
            System.out.println(outcome);
        }
    }
}

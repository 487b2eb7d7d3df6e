// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.cases;

import dev.semel.testservers.FreshDatabase;
import dev.semel.testservers.PostgresServer;

/** A PostgreSQL database with the tables of the shop. */
final class ShopDatabase extends FreshDatabase {
    private static final String ORDERS = """
            CREATE TABLE orders (
                id       TEXT PRIMARY KEY,
                amount   INTEGER NOT NULL,
                customer TEXT REFERENCES orders (id) DEFERRABLE INITIALLY DEFERRED
            )
            """;
    private static final String BANK_CALLS =
            "CREATE TABLE bank_calls (call BIGSERIAL PRIMARY KEY, child_key TEXT NOT NULL)";

    ShopDatabase() {
        this(PostgresServer.shared());
    }

    ShopDatabase(PostgresServer server) {
        this(server, true);
    }

    /** Without tables. */
    static ShopDatabase empty() {
        return new ShopDatabase(PostgresServer.shared(), false);
    }

    private ShopDatabase(PostgresServer server, boolean tables) {
        super(server);
        if (tables) {
            execute(ORDERS, BANK_CALLS);
        }
    }

    long orders(String id) {
        return Long.parseLong(single("SELECT count(*) FROM orders WHERE id = '%s'".formatted(id)));
    }

    /** The statuses of the claims of a scope, in the order of their names; empty if there is none. */
    String claims(String scope) {
        return single(
                "SELECT coalesce(string_agg(lower(status::text), ',' ORDER BY status::text), '') FROM idempotency_keys WHERE scope = '%s'"
                        .formatted(scope));
    }
}

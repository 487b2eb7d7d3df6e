// SPDX-License-Identifier: Apache-2.0
package dev.semel.examples;

import dev.semel.Codec;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.Semel;
import dev.semel.jdbc.JdbcClaimStore;
import dev.semel.key.Secrets;
import java.nio.file.Path;

/** Like {@link OnceInMemory}, but also after a restart: run it twice with the same file. */
public final class OnceInSqlite {
    private static final Operation<String> CHARGE = Operation.of("card.charge", Codec.text());

    private OnceInSqlite() {}

    public static void main(String[] arguments) {
        Path file = Path.of(arguments.length > 0 ? arguments[0] : "claims.db");
        Secrets secrets = Secrets.of("change-me: at least 32 random bytes");
        try (JdbcClaimStore store = JdbcClaimStore.sqlite(file);
                Semel semel = Semel.on(store).secrets(secrets).build()) {
            Outcome<String> outcome = semel.execute(CHARGE, CHARGE.key("acme", "order-17"), run -> {
                System.out.println("charging the card");
                return "receipt 4711";
            });
            System.out.println(outcome);
        }
    }
}

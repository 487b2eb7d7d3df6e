// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.doctor;

import dev.semel.jdbc.JdbcClaimStore;
import dev.semel.key.Secrets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;
import javax.sql.DataSource;

/** Claims that no configured secret finds, for example after a restore without the secret. */
final class SecretCheck {
    private SecretCheck() {}

    static Optional<Finding> of(DataSource source, Optional<Secrets> active) {
        Set<String> used;
        try (Connection connection = source.getConnection()) {
            used = new ServerVariables(connection).all("""
                    SELECT DISTINCT secret_id FROM (SELECT secret_id FROM idempotency_keys LIMIT 100000) AS part
                    """);
        } catch (SQLException e) {
            return Optional.of(Finding.warning(
                    "secret.claims",
                    "The secrets of the claims cannot be read (SQLState %s)".formatted(e.getSQLState()),
                    "Check the rights of the user"));
        }
        JdbcClaimStore claims = JdbcClaimStore.on(source);
        long lost = used.stream()
                .filter(id -> active.flatMap(secrets -> secrets.byId(id)).isEmpty())
                .mapToLong(claims::onlyFoundBy)
                .sum();
        return lost == 0
                ? Optional.empty()
                : Optional.of(
                        Finding.error(
                                "secret.claims",
                                ("%d claims were made with a secret that is not configured: their keys are not recognized, and"
                                                + " work that is done runs again")
                                        .formatted(lost),
                                "Set IDEMPOTENCY_SECRET to the secret that the claims were made with, or add it to"
                                        + " IDEMPOTENCY_PREVIOUS_SECRETS; on SQLite, restore the file `secret` in the data folder"));
    }
}

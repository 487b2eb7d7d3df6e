// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.ledger;

import dev.semel.claim.Fingerprint;
import dev.semel.records.LedgerEntry;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which keys have an event already, without writing one. Asked only beyond the bound of new keys: within it the ledger
 * finds out as it writes.
 */
public final class KnownKeys {
    private static final Logger LOG = LoggerFactory.getLogger(KnownKeys.class);
    private static final String KNOWN = """
            SELECT key_hash FROM ledger_ingestion_idempotency WHERE key_hash IN (%s)
            """;

    private final DataSource database;
    private final Executor blocking;

    /** @param blocking runs what waits for the database */
    public KnownKeys(DataSource database, Executor blocking) {
        this.database = database;
        this.blocking = blocking;
    }

    /** The names of those that are known; if the database does not say, they are taken for new ones. */
    CompletionStage<Set<Fingerprint>> among(Collection<Fingerprint> names) {
        return CompletableFuture.supplyAsync(() -> read(List.copyOf(names)), blocking)
                .exceptionally(away -> Set.of());
    }

    /** As the table names keys: its primary key. */
    static Fingerprint nameOf(LedgerEntry entry) {
        return Fingerprint.of("ledger", entry.orgId(), entry.idempotencyKey());
    }

    private Set<Fingerprint> read(List<Fingerprint> names) {
        String marks = String.join(", ", Collections.nCopies(names.size(), "?"));
        try (Connection connection = database.getConnection();
                PreparedStatement statement = connection.prepareStatement(KNOWN.formatted(marks))) {
            for (int i = 0; i < names.size(); i++) {
                statement.setBytes(i + 1, names.get(i).bytes());
            }
            Set<Fingerprint> known = new HashSet<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    known.add(new Fingerprint(rows.getBytes(1)));
                }
            }
            return known;
        } catch (SQLException e) {
            LOG.atWarn().addKeyValue("state", e.getSQLState()).log("The ledger's keys could not be read");
            return Set.of();
        }
    }
}

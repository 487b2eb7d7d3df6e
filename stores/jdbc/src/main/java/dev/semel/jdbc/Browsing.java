// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.claim.ClaimBrowser;
import dev.semel.claim.ClaimBrowser.Cursor;
import dev.semel.claim.ClaimEntry;
import dev.semel.claim.ClaimRef;
import dev.semel.claim.Digest;
import dev.semel.claim.Status;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Looks at claims. A page over several states is one query a state, merged here: each is a range of the index, where a
 * single query over all of them would sort a tenant's whole history.
 */
final class Browsing {
    /** Before the first page: later than every claim, and above every digest. */
    private static final Cursor START = new Cursor(Instant.parse("9000-01-01T00:00:00Z"), highest());

    private final Connections connections;
    private final Connections patient;
    private final Dialect dialect;

    Browsing(Connections connections, Connections patient, Dialect dialect) {
        this.connections = connections;
        this.patient = patient;
        this.dialect = dialect;
    }

    Optional<ClaimEntry> find(ClaimRef ref) {
        return connections.run(connection -> {
            try (PreparedStatement statement = dialect.findStatement().prepare(connection, Parameters.of(ref))) {
                return Rows.entries(statement).stream().findFirst();
            }
        });
    }

    List<ClaimEntry> page(ClaimBrowser.Query query) {
        Cursor after = query.after() == null ? START : query.after();
        List<ClaimEntry> found = connections.run(connection -> {
            List<ClaimEntry> entries = new ArrayList<>();
            for (Status status : query.statuses()) {
                Parameters parameters = Parameters.none()
                        .put("tenant", query.tenant())
                        .put("scope", query.scope())
                        .put("status", status.name())
                        .put("created", micros(after.createdAt()))
                        .put("key_hash", after.digest().bytes())
                        .put("limit", query.limit());
                try (PreparedStatement statement = dialect.pageStatement().prepare(connection, parameters)) {
                    entries.addAll(Rows.entries(statement));
                }
            }
            return entries;
        });
        return found.stream()
                .sorted(Comparator.comparing(Cursor::of, Cursor.NEWEST_FIRST))
                .limit(query.limit())
                .toList();
    }

    Map<Status, Long> counts(String tenant) {
        Parameters parameters = Parameters.none().put("tenant", tenant);
        return connections.run(connection -> {
            Map<Status, Long> counts = new EnumMap<>(Status.class);
            try (PreparedStatement statement = dialect.countStatement().prepare(connection, parameters);
                    ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    counts.put(Status.valueOf(rows.getString(1)), rows.getLong(2));
                }
            }
            return counts;
        });
    }

    long onlyFoundBy(String secretId) {
        Parameters parameters = Parameters.none().put("secret_id", secretId);
        return patient.run(connection -> {
            try (PreparedStatement statement = dialect.onlyFoundByStatement().prepare(connection, parameters);
                    ResultSet rows = statement.executeQuery()) {
                return rows.next() ? rows.getLong(1) : 0L;
            }
        });
    }

    /** By hand, because {@code ChronoUnit.MICROS.between} overflows after 292 years. */
    private static long micros(Instant moment) {
        return moment.getEpochSecond() * 1_000_000 + moment.getNano() / 1_000;
    }

    private static Digest highest() {
        byte[] bytes = new byte[Digest.LENGTH];
        Arrays.fill(bytes, (byte) 0xff);
        return new Digest(bytes);
    }
}

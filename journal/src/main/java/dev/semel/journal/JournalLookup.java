// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal;

import dev.semel.claim.ClaimKey;
import dev.semel.claim.Digest;
import dev.semel.claim.StoreException;
import dev.semel.internal.BoundedText;
import dev.semel.jdbc.sql.Database;
import dev.semel.jdbc.sql.NamedSql;
import dev.semel.journal.rows.InboxIds;
import dev.semel.journal.rows.JournalDatabase;
import dev.semel.journal.rows.JournalDialect;
import dev.semel.journal.rows.RowReader;
import dev.semel.journal.rows.RowValues;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletionStage;

/**
 * Finds rows of the journal by the beginning of the digest of their key, as logs and answers show it. Reads only the rows in
 * that range of an existing unique index: the id of an inbox event, which begins with the digest of its claim; the hash of a
 * ledger key; the hash of a call's signature.
 */
public final class JournalLookup {
    /** The shortest prefix that can be looked up, in hexadecimal digits. */
    public static final int MIN_PREFIX = 6;

    /**
     * The maximum number of inbox events that are read, of all tenants. A range of six digits has more only in a table of
     * billions of rows. The limit also keeps databases from reading all events of the tenant instead of the range.
     */
    private static final int MAX_SCAN = 20_000;

    /** The maximum number of rows of each kind. */
    public static final int MAX_LIMIT = 1_000;

    /** The kinds of rows. */
    public enum Kind {
        /**
         * An event of the webhook inbox, by the digest of its claim. Events of versions that gave them
         * random ids are not found.
         */
        INBOX_EVENT("""
                SELECT f.id AS id, f.at_micros FROM (
                    SELECT e.id, e.tenant, e.key_hash, {at e.received_at} AS at_micros FROM webhook_inbox AS e
                    WHERE e.id >= {uuid :low_id} AND e.id <= {uuid :high_id} ORDER BY e.id LIMIT :scan) AS f
                WHERE f.tenant = :owner AND f.key_hash >= :low AND f.key_hash <= :high
                ORDER BY f.id LIMIT :limit
                """),

        /** An event of the ledger, by the hash of organization and key. Its tenant is the organization. */
        LEDGER_EVENT("""
                SELECT e.event_id AS id, {at e.created_at} AS at_micros FROM ledger_ingestion_idempotency AS e
                WHERE e.key_hash >= :low AND e.key_hash <= :high AND e.org_id = :owner
                ORDER BY e.key_hash LIMIT :limit
                """),

        /** A call event, by the hash of its signature. Its tenant is the site. */
        CALL("""
                SELECT e.id AS id, {at e.created_at} AS at_micros FROM calls AS e
                WHERE e.site_id = :owner AND e.signature_hash >= :low_text AND e.signature_hash <= :high_text
                ORDER BY e.signature_hash LIMIT :limit
                """);

        private final String sql;

        Kind(String sql) {
            this.sql = sql;
        }
    }

    /** A row that was found. */
    public record Match(Kind kind, UUID id, Instant at) {}

    /**
     * The rows that were found.
     *
     * @param more whether there are more rows; a longer prefix tells them apart
     */
    public record Matches(List<Match> found, boolean more) {
        public Matches {
            found = List.copyOf(found);
        }
    }

    private final JournalDatabase database;
    private final Map<Kind, NamedSql> statements = new EnumMap<>(Kind.class);

    JournalLookup(JournalDatabase database) {
        this.database = database;
        for (Kind kind : Kind.values()) {
            statements.put(kind, NamedSql.of(sql(kind, database.kind(), database.dialect())));
        }
    }

    static String sql(Kind kind, Database database, JournalDialect dialect) {
        return kind.sql
                .replace("{at e.received_at}", dialect.micros("e.received_at"))
                .replace("{at e.created_at}", dialect.micros("e.created_at"))
                .replaceAll("\\{uuid (:\\w+)}", database == Database.POSTGRESQL ? "CAST($1 AS uuid)" : "$1");
    }

    /**
     * Finds the rows of a tenant whose digest begins with these digits. Fails only with a {@link StoreException}.
     *
     * @param digits {@value #MIN_PREFIX} to 64 hexadecimal digits, in lower case
     * @param limit the maximum number of rows of each kind, 1 to {@value #MAX_LIMIT}
     */
    public CompletionStage<Matches> withPrefix(String tenant, String digits, int limit) {
        BoundedText.check("tenant", tenant, ClaimKey.MAX_TENANT);
        if (!digits.matches("[0-9a-f]{%d,%d}".formatted(MIN_PREFIX, 2 * Digest.LENGTH))) {
            throw new IllegalArgumentException(
                    "A prefix must have %d to %d digits 0-9 or a-f".formatted(MIN_PREFIX, 2 * Digest.LENGTH));
        }
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new IllegalArgumentException("limit must be 1 to %d, but is %d".formatted(MAX_LIMIT, limit));
        }
        Digest low = Digest.ofHex(digits + "0".repeat(2 * Digest.LENGTH - digits.length()));
        Digest high = Digest.ofHex(digits + "f".repeat(2 * Digest.LENGTH - digits.length()));
        RowValues values = database.dialect()
                .owner(tenant)
                .put("low", low.bytes())
                .put("high", high.bytes())
                .put("low_text", low.hex())
                .put("high_text", high.hex())
                .put("low_id", InboxIds.lowest(low).toString())
                .put("high_id", InboxIds.highest(high).toString())
                .put("scan", MAX_SCAN)
                // One more row than is returned says whether there are more.
                .put("limit", limit + 1);
        return database.read(connection -> matches(connection, values, limit));
    }

    private Matches matches(Connection connection, RowValues values, int limit) throws SQLException {
        List<Match> found = new ArrayList<>();
        boolean more = false;
        for (Map.Entry<Kind, NamedSql> statement : statements.entrySet()) {
            List<Match> rows =
                    RowReader.list(connection, statement.getValue(), values, row -> match(statement.getKey(), row));
            more |= rows.size() > limit;
            found.addAll(rows.subList(0, Math.min(limit, rows.size())));
        }
        return new Matches(found, more);
    }

    private static Match match(Kind kind, ResultSet row) throws SQLException {
        return new Match(kind, RowReader.id(row), RowReader.moment(row.getLong("at_micros")));
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.calls;

import dev.semel.jdbc.sql.NamedSql;
import dev.semel.journal.page.PageBack;
import dev.semel.journal.rows.JournalDialect;
import dev.semel.journal.rows.PageBounds;
import dev.semel.journal.rows.PageReader;
import dev.semel.journal.rows.PageRows;
import dev.semel.journal.rows.PageSql;
import dev.semel.journal.rows.PageStart;
import dev.semel.journal.rows.Position;
import dev.semel.journal.rows.RowReader;
import dev.semel.journal.rows.RowValues;
import dev.semel.journal.rows.StoredJson;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads call events. */
final class CallReads {
    private static final String CALL = """
            e.id, e.site_id, e.signature_hash, e.verified, {content body},
            {created} AS created_micros, {write} AS write_number, e.position""";

    private static final String ONE_CALL = "SELECT " + PageSql.unbounded(CALL) + " FROM calls AS e WHERE ";

    private final JournalDialect dialect;
    private final NamedSql call;
    private final NamedSql callOfAnyone;
    private final NamedSql known;
    private final PageSql page;

    CallReads(JournalDialect dialect) {
        this.dialect = dialect;
        this.call = dialect.sql(ONE_CALL + "e.id = {id} AND e.site_id = :owner");
        this.callOfAnyone = dialect.sql(ONE_CALL + "e.id = {id}");
        this.known = dialect.sql(
                "SELECT e.id FROM calls AS e WHERE e.site_id = :owner AND e.signature_hash = :signature_hash");
        this.page = PageSql.of(dialect, "calls", CALL, dialect.documentBytes("e.body"), "e.site_id", "");
    }

    /** @param siteId the site that must own the call; null for any */
    Optional<StoredCall> find(Connection connection, @Nullable String siteId, UUID id) throws SQLException {
        NamedSql sql = siteId == null ? callOfAnyone : call;
        RowValues values = siteId == null ? RowValues.none() : dialect.owner(siteId);
        return RowReader.list(connection, sql, values.put("id", id.toString()), CallReads::call).stream()
                .findFirst();
    }

    Optional<UUID> known(Connection connection, String siteId, String signatureHash) throws SQLException {
        RowValues values = dialect.owner(siteId).put("signature_hash", signatureHash);
        return RowReader.list(connection, known, values, RowReader::id).stream().findFirst();
    }

    PageRows<StoredCall> page(Connection connection, String siteId, Position after, PageBounds bounds)
            throws SQLException {
        return new PageReader<>(connection, dialect, page, dialect.owner(siteId), after, bounds, CallReads::call)
                .read();
    }

    PageBack back(Connection connection, String siteId, @Nullable Position end, int rows) throws SQLException {
        return PageStart.of(connection, dialect, page, dialect.owner(siteId), end, rows);
    }

    private static StoredCall call(ResultSet rows) throws SQLException {
        return new StoredCall(
                RowReader.id(rows),
                rows.getString("site_id"),
                rows.getString("signature_hash"),
                rows.getBoolean("verified"),
                StoredJson.parse(rows.getString("body")),
                RowReader.moment(rows.getLong("created_micros")));
    }
}

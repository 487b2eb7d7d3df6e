// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Digest;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.OwnerToken;
import dev.semel.claim.RecordId;
import dev.semel.claim.StalePolicy;
import dev.semel.claim.Status;
import dev.semel.claim.StoredResult;
import dev.semel.spi.ClaimEntry;
import dev.semel.spi.Snapshot;
import java.nio.ByteBuffer;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads rows of claims. Every dialect selects the same column names, with times in microseconds since 1970. */
final class ClaimRows {
    private ClaimRows() {}

    /** Runs the statement and adds every row to the map under its reference. */
    static void collect(PreparedStatement statement, Map<ClaimRef, Snapshot> into) throws SQLException {
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                Snapshot claim = snapshot(rows);
                into.put(claim.ref(), claim);
            }
        }
    }

    /** Runs the statement and reports every changed row to the batch. */
    static void applied(PreparedStatement statement, CommandBatch batch) throws SQLException {
        try (ResultSet rows = statement.executeQuery()) {
            applied(rows, batch);
        }
    }

    static void applied(ResultSet rows, CommandBatch batch) throws SQLException {
        while (rows.next()) {
            batch.applied(
                    token(rows),
                    rows.getString("scope"),
                    new RecordId(id(rows, "record_id")),
                    rows.getInt("attempt_count"),
                    rows.getLong("fence"),
                    Duration.of(Math.max(0, rows.getLong("lease_left")), ChronoUnit.MICROS));
        }
    }

    static List<ClaimEntry> entries(PreparedStatement statement) throws SQLException {
        List<ClaimEntry> entries = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                entries.add(entry(rows));
            }
        }
        return entries;
    }

    static Snapshot snapshot(ResultSet row) throws SQLException {
        return new Snapshot(
                ref(row),
                row.getString("scope"),
                Status.valueOf(row.getString("status")),
                token(row),
                new RecordId(id(row, "record_id")),
                fingerprint(row),
                row.getInt("attempt_count"),
                row.getLong("fence"),
                StalePolicy.valueOf(row.getString("on_stale")),
                Duration.of(row.getLong("lease_left"), ChronoUnit.MICROS),
                ttlLeft(row),
                result(row),
                row.getString("reason"),
                otherRef(row, "alias_of"));
    }

    private static ClaimEntry entry(ResultSet row) throws SQLException {
        Status status = Status.valueOf(row.getString("status"));
        return new ClaimEntry(
                ref(row),
                row.getString("scope"),
                status,
                row.getBoolean("lapsed"),
                row.getInt("attempt_count"),
                row.getLong("fence"),
                StalePolicy.valueOf(row.getString("on_stale")),
                row.getString("secret_id"),
                moment(row.getLong("created_micros")),
                status == Status.IN_PROGRESS ? momentOrNull(row, "lease_micros") : null,
                momentOrNull(row, "completed_micros"),
                momentOrNull(row, "expires_micros"),
                row.getString("result_type"),
                row.getInt("result_size"),
                row.getString("reason"),
                otherRef(row, "alias_conflict"));
    }

    /** A sketch only explains mismatches. One that cannot be read counts as absent and is no failure. */
    private static Fingerprint fingerprint(ResultSet row) throws SQLException {
        Fingerprint plain = new Fingerprint(row.getBytes("fingerprint"));
        byte[] sketch = row.getBytes("sketch");
        return sketch == null || sketch.length > Fingerprint.MAX_SKETCH ? plain : plain.withSketch(sketch);
    }

    /** The reference of another claim of the same tenant. */
    private static @Nullable ClaimRef otherRef(ResultSet row, String column) throws SQLException {
        byte[] digest = row.getBytes(column);
        return digest == null ? null : new ClaimRef(row.getString("tenant"), new Digest(digest));
    }

    static OwnerToken token(ResultSet row) throws SQLException {
        return new OwnerToken(id(row, "claim_nonce"));
    }

    static ClaimRef ref(ResultSet row) throws SQLException {
        return new ClaimRef(row.getString("tenant"), new Digest(row.getBytes("key_hash")));
    }

    /** 16 bytes, stored as uuid on PostgreSQL. */
    private static byte[] id(ResultSet row, String column) throws SQLException {
        return row.getObject(column) instanceof UUID uuid
                ? ByteBuffer.allocate(16)
                        .putLong(uuid.getMostSignificantBits())
                        .putLong(uuid.getLeastSignificantBits())
                        .array()
                : row.getBytes(column);
    }

    private static @Nullable StoredResult result(ResultSet row) throws SQLException {
        String type = row.getString("result_type");
        if (type == null) {
            return null;
        }
        byte[] bytes = row.getBytes("result");
        if (bytes != null) {
            return new StoredResult(type, bytes);
        }
        // SQLite also returns null for an empty blob.
        int size = row.getInt("result_size");
        return size == 0 ? new StoredResult(type, new byte[0]) : StoredResult.omitted(size);
    }

    private static @Nullable Duration ttlLeft(ResultSet row) throws SQLException {
        long micros = row.getLong("ttl_left");
        return row.wasNull() ? null : Duration.of(micros, ChronoUnit.MICROS);
    }

    private static @Nullable Instant momentOrNull(ResultSet row, String column) throws SQLException {
        long micros = row.getLong(column);
        return row.wasNull() ? null : moment(micros);
    }

    private static Instant moment(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }
}

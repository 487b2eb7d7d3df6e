// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Digest;
import dev.semel.jdbc.sql.ListSql;
import dev.semel.jdbc.sql.NamedSql;
import dev.semel.spi.AliasPlan;
import dev.semel.spi.Snapshot;
import dev.semel.spi.Verdict;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Replaces pointer rows by the records that they point to, and deletes pointers without a record. */
final class AliasPointers {
    private static final SecureRandom RANDOM = new SecureRandom();

    private static final String OF_EXPIRED = """
            SELECT p.key_hash, p.claim_nonce
            FROM (SELECT key_hash FROM idempotency_keys AS k WHERE due_at <= {now} AND {expires} <= {now}
                  ORDER BY due_at LIMIT :limit) AS r
            JOIN {pointers} AS p ON p.alias_of = r.key_hash
            """;

    /** The limit counts the rows that are read, not those that are found: nearly all pointers have a record. */
    private static final String ORPHANS = """
            SELECT p.key_hash, p.claim_nonce
            FROM (SELECT key_hash, claim_nonce, alias_of FROM {pointers} AS these
                  WHERE alias_of {from} :start ORDER BY alias_of LIMIT :limit) AS p
            LEFT JOIN idempotency_keys AS r ON r.key_hash = p.alias_of AND r.alias_of IS NULL
            WHERE r.key_hash IS NULL
            """;

    private static final String ANY = "SELECT 1 FROM {pointers} AS p WHERE alias_of IS NOT NULL LIMIT 1";

    /** A row that an open transaction holds is left to the next sweep. A user's transaction may stay open for long. */
    private static final String FREE = """
            SELECT key_hash FROM idempotency_keys WHERE key_hash IN ({rows}) AND alias_of IS NOT NULL {skipping}
            """;

    /** The maximum number of rows that are locked in one statement. */
    private static final int AT_ONCE = 500;

    /** Deletes by the token that was read, so a row that was taken over since then stays. */
    private static final NamedSql DELETE = NamedSql.of("""
            DELETE FROM idempotency_keys
            WHERE key_hash = :key_hash AND claim_nonce = :nonce AND alias_of IS NOT NULL
            """);

    private final Dialect dialect;
    private final NamedSql ofExpired;
    private final NamedSql orphansFrom;
    private final NamedSql orphansBefore;
    private final NamedSql any;
    private final ListSql lockFree;

    AliasPointers(Dialect dialect) {
        this.dialect = dialect;
        this.lockFree = ListSql.of(FREE.replace("{skipping}", dialect.skippingLocked()), ":key_hash");
        this.ofExpired = sql(OF_EXPIRED.replace("{now}", dialect.now()).replace("{expires}", dialect.expires("k")));
        this.orphansFrom = sql(ORPHANS.replace("{from}", ">="));
        this.orphansBefore = sql(ORPHANS.replace("{from}", "<"));
        this.any = sql(ANY);
    }

    private NamedSql sql(String text) {
        return NamedSql.of(text.replace("{pointers}", dialect.pointers()));
    }

    /**
     * Returns the verdicts with records in place of pointers. Costs nothing if there are no pointers.
     *
     * @param largest the maximum number of bytes of a result that is returned
     */
    List<Verdict> resolved(Connection connection, List<Verdict> verdicts, int largest) throws SQLException {
        List<ClaimRef> targets = new ArrayList<>();
        for (Verdict verdict : verdicts) {
            if (verdict instanceof Verdict.Refused refused && refused.claim() != null) {
                ClaimRef target = refused.claim().aliasOf();
                if (target != null) {
                    targets.add(target);
                }
            }
        }
        if (targets.isEmpty()) {
            return verdicts;
        }
        Map<ClaimRef, Snapshot> records = read(connection, targets, largest);
        return verdicts.stream()
                .map(verdict -> verdict instanceof Verdict.Refused refused && refused.claim() != null
                        ? new Verdict.Refused(resolved(refused.claim(), records))
                        : verdict)
                .toList();
    }

    /** Returns the rows with records in place of pointers. */
    Map<ClaimRef, Snapshot> resolved(Connection connection, Map<ClaimRef, Snapshot> rows, int largest)
            throws SQLException {
        List<ClaimRef> targets = rows.values().stream()
                .map(Snapshot::aliasOf)
                .filter(Objects::nonNull)
                .toList();
        if (targets.isEmpty()) {
            return rows;
        }
        Map<ClaimRef, Snapshot> records = read(connection, targets, largest);
        Map<ClaimRef, Snapshot> resolved = new HashMap<>();
        rows.forEach((ref, row) -> resolved.put(ref, resolved(row, records)));
        return resolved;
    }

    private Map<ClaimRef, Snapshot> read(Connection connection, Collection<ClaimRef> refs, int largest)
            throws SQLException {
        Map<ClaimRef, Snapshot> found = new HashMap<>();
        dialect.read(connection, refs.stream().distinct().sorted().toList(), largest, found);
        return found;
    }

    private static Snapshot resolved(Snapshot row, Map<ClaimRef, Snapshot> records) {
        Snapshot target = row.aliasOf() == null ? null : records.get(row.aliasOf());
        return target == null || AliasPlan.leadsNowhere(target) ? row : target;
    }

    /** Deletes the pointers to the records that the next sweep of this size will delete. */
    void deletePointersToExpired(Connection connection, int limit, Duration statementTimeout) throws SQLException {
        // Most databases have no aliases and need not search for them row by row.
        if (any(connection)) {
            delete(connection, ofExpired, ClaimParameters.none().put("limit", limit), statementTimeout);
        }
    }

    private boolean any(Connection connection) throws SQLException {
        try (PreparedStatement statement = any.prepare(connection);
                ResultSet found = statement.executeQuery()) {
            return found.next();
        }
    }

    /**
     * Reads pointers from a random position and deletes those without a record: pointers that were added while the
     * record was deleted, or whose record was deleted by a version without aliases. Returns whether there may be more.
     */
    boolean deleteOrphans(Connection connection, int limit, Duration statementTimeout) throws SQLException {
        byte[] start = new byte[Digest.LENGTH];
        RANDOM.nextBytes(start);
        ClaimParameters parameters = ClaimParameters.none().put("start", start).put("limit", limit);
        int deleted = delete(connection, orphansFrom, parameters, statementTimeout)
                + delete(connection, orphansBefore, parameters, statementTimeout);
        return deleted >= limit;
    }

    private int delete(Connection connection, NamedSql which, ClaimParameters parameters, Duration statementTimeout)
            throws SQLException {
        List<ClaimParameters> rows = new ArrayList<>();
        try (PreparedStatement statement = which.prepare(connection, parameters);
                ResultSet found = statement.executeQuery()) {
            while (found.next()) {
                // The token stays in the driver's type, a UUID or bytes, and is passed back unchanged.
                rows.add(ClaimParameters.none()
                        .put("key_hash", found.getBytes("key_hash"))
                        .put("nonce", found.getObject("claim_nonce")));
            }
        }
        rows.sort(Comparator.comparing(AliasPointers::digestOf, Arrays::compareUnsigned));
        int deleted = 0;
        for (int from = 0; from < rows.size(); from += AT_ONCE) {
            List<ClaimParameters> some = rows.subList(from, Math.min(from + AT_ONCE, rows.size()));
            deleted += dialect.inTransaction(
                    connection, inTransaction -> deleteFree(inTransaction, some), statementTimeout);
        }
        return deleted;
    }

    private int deleteFree(Connection connection, List<ClaimParameters> rows) throws SQLException {
        Set<ByteBuffer> free = new HashSet<>();
        try (PreparedStatement statement = lockFree.prepareAll(connection, rows);
                ResultSet found = statement.executeQuery()) {
            while (found.next()) {
                free.add(ByteBuffer.wrap(found.getBytes("key_hash")));
            }
        }
        if (free.isEmpty()) {
            return 0;
        }
        List<ClaimParameters> locked = rows.stream()
                .filter(row -> free.contains(ByteBuffer.wrap(digestOf(row))))
                .toList();
        try (PreparedStatement statement = DELETE.prepare(connection)) {
            for (ClaimParameters row : locked) {
                DELETE.bind(statement, row).addBatch();
            }
            statement.executeBatch();
        }
        dialect.forgetPointers(connection, locked);
        return free.size();
    }

    private static byte[] digestOf(ClaimParameters row) {
        return (byte[]) Objects.requireNonNull(row.get("key_hash"));
    }
}

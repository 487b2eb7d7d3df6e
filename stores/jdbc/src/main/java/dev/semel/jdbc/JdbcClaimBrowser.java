// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import static java.util.regex.Matcher.quoteReplacement;
import static java.util.stream.Collectors.joining;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Digest;
import dev.semel.claim.Status;
import dev.semel.jdbc.sql.Connections;
import dev.semel.jdbc.sql.NamedSql;
import dev.semel.spi.ClaimBrowser;
import dev.semel.spi.ClaimBrowser.Cursor;
import dev.semel.spi.ClaimEntry;
import dev.semel.spi.ClaimPage;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Finds, lists and counts claims. A page scans a tenant's records from the newest until it is full. An index by status
 * would be faster for rare statuses, but every settlement would have to update it.
 */
final class JdbcClaimBrowser {
    /** Start of the first page: later than every claim, and above every digest. */
    private static final Cursor START = new Cursor(Instant.parse("9000-01-01T00:00:00Z"), highest());

    private static final Digest LOWEST_DIGEST = new Digest(new byte[Digest.LENGTH]);

    private static final Pattern EXPIRES = Pattern.compile("\\{expires ([a-z_]+)}");
    private static final Pattern MICROS = Pattern.compile("\\{micros ([^}]+)}");
    private static final Pattern MOMENT = Pattern.compile("\\{moment ([^}]+)}");

    private static final String ENTRY = """
            SELECT key_hash, tenant, scope, secret_id, status, attempt_count, fence, on_stale, result_type, reason,
                   alias_conflict, coalesce(octet_length(result), 0) AS result_size,
                   status = 'IN_PROGRESS' AND lease_until <= {now} AS lapsed,
                   {micros created_at} AS created_micros, {micros completed_at} AS completed_micros,
                   {micros {expires idempotency_keys}} AS expires_micros, {micros lease_until} AS lease_micros
            FROM idempotency_keys
            """;

    private static final String FIND = ENTRY + """
            WHERE {same_tenant} AND alias_of IS NULL
              AND key_hash = (SELECT coalesce(a.alias_of, a.key_hash) FROM idempotency_keys AS a
                              WHERE a.key_hash = :key_hash)
            """;

    private static final String PAGE = ENTRY + """
            WHERE {same_tenant} AND alias_of IS NULL AND status IN ({statuses}) {and_scope}
              AND {after_cursor} AND created_at < {moment :before}
              AND created_at >= {moment :lowest}
            ORDER BY created_at DESC, key_hash DESC LIMIT :limit
            """;

    private static final String AFTER_CURSOR =
            "created_at <= {moment :created} AND (created_at < {moment :created} OR key_hash < :key_hash)";

    /** The time of the oldest claim that is read for a page. Uses only the index. */
    private static final String LOWEST = """
            SELECT {micros created_at} AS created_micros FROM idempotency_keys
            WHERE {same_tenant} AND alias_of IS NULL
              AND created_at < {moment :created_end} AND created_at < {moment :before} AND created_at >= {moment :lowest}
            ORDER BY created_at DESC LIMIT 1 OFFSET :offset
            """;

    private static final String WITH_PREFIX = ENTRY + """
            WHERE {same_tenant} AND alias_of IS NULL AND key_hash IN (
                SELECT coalesce(a.alias_of, a.key_hash) FROM (
                    SELECT key_hash, alias_of FROM idempotency_keys
                    WHERE {same_tenant} AND key_hash >= :low AND key_hash <= :high
                    ORDER BY key_hash LIMIT :limit) AS a)
            ORDER BY key_hash
            """;

    private static final String SCOPES = """
            SELECT DISTINCT scope FROM (
                SELECT scope FROM idempotency_keys WHERE {same_tenant} AND alias_of IS NULL
                ORDER BY created_at DESC, key_hash DESC LIMIT :scan) AS newest
            ORDER BY scope LIMIT :limit
            """;

    private static final String COUNT = """
            SELECT status, count(*) FROM idempotency_keys WHERE {same_tenant} AND alias_of IS NULL GROUP BY status
            """;

    private static final String DUE = """
            SELECT count(*) FROM (SELECT 1 AS due FROM idempotency_keys WHERE due_at <= {now} LIMIT :limit) AS backlog
            """;

    /** Counts claims with more digests under this secret than under others. */
    private static final String ONLY_FOUND_BY = """
            SELECT count(*) FROM idempotency_keys AS k
            WHERE k.alias_of IS NULL AND ({expires k} IS NULL OR {expires k} > {now})
              AND CASE WHEN k.secret_id = :secret_id THEN 1 ELSE -1 END
                  + coalesce((SELECT sum(CASE WHEN p.secret_id = :secret_id THEN 1 ELSE -1 END)
                              FROM {pointers} AS p WHERE p.alias_of = k.key_hash), 0) > 0
            """;

    private final Connections connections;
    private final Connections slowQueries;
    private final Dialect dialect;
    private final int maxScan;

    /** @param maxScan the maximum number of claims that are read for one page */
    JdbcClaimBrowser(Connections connections, Connections slowQueries, Dialect dialect, int maxScan) {
        this.connections = connections;
        this.slowQueries = slowQueries;
        this.dialect = dialect;
        this.maxScan = maxScan;
    }

    private NamedSql sql(String text) {
        String inDialect = text.replace("{after_cursor}", AFTER_CURSOR)
                .replace("{same_tenant}", dialect.sameText("tenant", ":tenant"))
                .replace("{pointers}", dialect.pointers())
                .replace("{now}", dialect.now());
        inDialect = EXPIRES.matcher(inDialect).replaceAll(match -> quoteReplacement(dialect.expires(match.group(1))));
        inDialect = MICROS.matcher(inDialect).replaceAll(match -> quoteReplacement(dialect.microsOf(match.group(1))));
        return NamedSql.of(
                MOMENT.matcher(inDialect).replaceAll(match -> quoteReplacement(dialect.ofMicros(match.group(1)))));
    }

    Optional<ClaimEntry> find(ClaimRef ref) {
        return connections.run(connection -> {
            try (PreparedStatement statement = sql(FIND).prepare(connection, ClaimParameters.of(ref))) {
                return ClaimRows.entries(statement).stream().findFirst();
            }
        });
    }

    ClaimPage page(ClaimBrowser.Query query) {
        return slowQueries.run(connection -> {
            ClaimParameters parameters = bounds(query);
            if (query.minAge() != null) {
                long latest = now(connection) - ClaimParameters.micros(query.minAge()) + 1;
                parameters.put(
                        "before",
                        Math.min(latest, micros(query.before() == null ? START.createdAt() : query.before())));
            }
            Optional<Cursor> lowest = query.isFiltered() ? lowest(connection, parameters) : Optional.empty();
            lowest.ifPresent(cursor -> parameters.put("lowest", micros(cursor.createdAt())));
            List<ClaimEntry> entries = new ArrayList<>();
            try (PreparedStatement statement = pageSql(query).prepare(connection, parameters)) {
                entries.addAll(ClaimRows.entries(statement));
            }
            return new ClaimPage(
                    entries,
                    entries.size() == query.limit() ? Cursor.of(entries.get(entries.size() - 1)) : lowest.orElse(null));
        });
    }

    private long now(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT " + dialect.nowInMicros())) {
            row.next();
            return row.getLong(1);
        }
    }

    private NamedSql pageSql(ClaimBrowser.Query query) {
        String statuses =
                query.statuses().stream().map(status -> "'" + status + "'").collect(joining(", "));
        String scope = query.scope() == null ? "" : "AND " + dialect.sameText("scope", ":scope");
        return sql(PAGE.replace("{statuses}", statuses).replace("{and_scope}", scope));
    }

    private ClaimParameters bounds(ClaimBrowser.Query query) {
        Cursor after = query.after() == null ? START : query.after();
        return ClaimParameters.none()
                .put("tenant", query.tenant())
                .put("scope", query.scope())
                .put("created", micros(after.createdAt()))
                // Below the lowest digest of a moment, there is none left of that moment.
                .put("created_end", micros(after.createdAt()) + (after.digest().equals(LOWEST_DIGEST) ? 0 : 1))
                .put("key_hash", after.digest().bytes())
                .put("before", micros(query.before() == null ? START.createdAt() : query.before()))
                .put("lowest", query.from() == null ? 0L : micros(query.from()))
                .put("offset", maxScan - 1)
                .put("limit", query.limit());
    }

    /** The end of what one page reads: all claims of that moment included. Empty if fewer are left than it may read. */
    private Optional<Cursor> lowest(Connection connection, ClaimParameters parameters) throws SQLException {
        try (PreparedStatement statement = sql(LOWEST).prepare(connection, parameters);
                ResultSet row = statement.executeQuery()) {
            return row.next()
                    ? Optional.of(new Cursor(
                            Instant.EPOCH.plus(row.getLong("created_micros"), ChronoUnit.MICROS), LOWEST_DIGEST))
                    : Optional.empty();
        }
    }

    List<ClaimEntry> withPrefix(String tenant, String prefix, int limit) {
        ClaimBrowser.checkPrefix(prefix);
        ClaimParameters parameters = ClaimParameters.none()
                .put("tenant", tenant)
                .put("low", padded(prefix, '0'))
                .put("high", padded(prefix, 'f'))
                .put("limit", limit);
        return connections.run(connection -> {
            try (PreparedStatement statement = sql(WITH_PREFIX).prepare(connection, parameters)) {
                return ClaimRows.entries(statement);
            }
        });
    }

    private static byte[] padded(String prefix, char with) {
        return HexFormat.of().parseHex(prefix + Character.toString(with).repeat(2 * Digest.LENGTH - prefix.length()));
    }

    ClaimBrowser.Scopes scopes(String tenant, int limit) {
        ClaimParameters parameters =
                bounds(ClaimBrowser.Query.of(tenant, 1)).put("scan", maxScan).put("limit", limit + 1);
        return slowQueries.run(connection -> {
            Set<String> names = new LinkedHashSet<>();
            boolean all = lowest(connection, parameters).isEmpty();
            try (PreparedStatement statement = sql(SCOPES).prepare(connection, parameters);
                    ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    if (names.size() == limit) {
                        return new ClaimBrowser.Scopes(names, false);
                    }
                    names.add(rows.getString(1));
                }
            }
            return new ClaimBrowser.Scopes(names, all);
        });
    }

    Map<Status, Long> counts(String tenant) {
        ClaimParameters parameters = ClaimParameters.none().put("tenant", tenant);
        return slowQueries.run(connection -> {
            Map<Status, Long> counts = new EnumMap<>(Status.class);
            try (PreparedStatement statement = sql(COUNT).prepare(connection, parameters);
                    ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    counts.put(Status.valueOf(rows.getString(1)), rows.getLong(2));
                }
            }
            return counts;
        });
    }

    long due(int limit) {
        ClaimParameters parameters = ClaimParameters.none().put("limit", limit);
        return slowQueries.run(connection -> {
            try (PreparedStatement statement = sql(DUE).prepare(connection, parameters);
                    ResultSet row = statement.executeQuery()) {
                return row.next() ? row.getLong(1) : 0L;
            }
        });
    }

    long onlyFoundBy(String secretId) {
        ClaimParameters parameters = ClaimParameters.none().put("secret_id", secretId);
        return slowQueries.run(connection -> {
            try (PreparedStatement statement = sql(ONLY_FOUND_BY).prepare(connection, parameters);
                    ResultSet rows = statement.executeQuery()) {
                return rows.next() ? rows.getLong(1) : 0L;
            }
        });
    }

    /**
     * Computed here because {@code ChronoUnit.MICROS.between} overflows after 292 years. Times beyond all claims are limited to
     * what every database can represent.
     */
    private static long micros(Instant moment) {
        if (moment.isBefore(Instant.EPOCH)) {
            return 0;
        }
        Instant limited = moment.isAfter(START.createdAt()) ? START.createdAt() : moment;
        return limited.getEpochSecond() * 1_000_000 + limited.getNano() / 1_000;
    }

    private static Digest highest() {
        byte[] bytes = new byte[Digest.LENGTH];
        Arrays.fill(bytes, (byte) 0xff);
        return new Digest(bytes);
    }
}

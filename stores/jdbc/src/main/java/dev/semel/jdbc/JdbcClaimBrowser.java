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
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Finds, lists and counts claims. A page scans a tenant's records from the newest until it is full. An index by status
 * would be faster for rare statuses, but every settlement would have to update it.
 */
final class JdbcClaimBrowser {
    /** Start of the first page: later than every claim, and above every digest. */
    private static final Cursor START = new Cursor(Instant.parse("9000-01-01T00:00:00Z"), highest());

    private static final Pattern MICROS = Pattern.compile("\\{micros ([^}]+)}");
    private static final Pattern MOMENT = Pattern.compile("\\{moment ([^}]+)}");

    private static final String ENTRY = """
            SELECT key_hash, tenant, scope, secret_id, status, attempt_count, fence, on_stale, result_type, reason,
                   alias_conflict, coalesce(octet_length(result), 0) AS result_size,
                   status = 'IN_PROGRESS' AND lease_until <= {now} AS lapsed,
                   {micros created_at} AS created_micros, {micros updated_at} AS updated_micros,
                   {micros started_at} AS started_micros, {micros completed_at} AS completed_micros,
                   {micros expires_at} AS expires_micros
            FROM idempotency_keys
            """;

    /** MariaDB's collation treats 'a' and 'a ' as equal; comparing the lengths as well excludes that. */
    private static final String SAME_TENANT = "tenant = :tenant AND octet_length(tenant) = octet_length(:tenant)";

    private static final String FIND = ENTRY + """
            WHERE {same_tenant} AND alias_of IS NULL
              AND key_hash = (SELECT coalesce(a.alias_of, a.key_hash) FROM idempotency_keys AS a
                              WHERE a.key_hash = :key_hash)
            """;

    private static final String PAGE = ENTRY + """
            WHERE {same_tenant} AND alias_of IS NULL AND status IN ({statuses}) {and_scope}
              AND created_at <= {moment :created} AND (created_at < {moment :created} OR key_hash < :key_hash)
            ORDER BY created_at DESC, key_hash DESC LIMIT :limit
            """;

    private static final String AND_SCOPE = "AND scope = :scope AND octet_length(scope) = octet_length(:scope)";

    private static final String COUNT = """
            SELECT status, count(*) FROM idempotency_keys WHERE {same_tenant} AND alias_of IS NULL GROUP BY status
            """;

    /** Counts claims with more digests under this secret than under others. */
    private static final String ONLY_FOUND_BY = """
            SELECT count(*) FROM idempotency_keys AS k
            WHERE k.alias_of IS NULL AND (k.expires_at IS NULL OR k.expires_at > {now})
              AND CASE WHEN k.secret_id = :secret_id THEN 1 ELSE -1 END
                  + coalesce((SELECT sum(CASE WHEN p.secret_id = :secret_id THEN 1 ELSE -1 END)
                              FROM idempotency_keys AS p {by_alias} WHERE p.alias_of = k.key_hash), 0) > 0
            """;

    private final Connections connections;
    private final Connections slowQueries;
    private final Dialect dialect;

    JdbcClaimBrowser(Connections connections, Connections slowQueries, Dialect dialect) {
        this.connections = connections;
        this.slowQueries = slowQueries;
        this.dialect = dialect;
    }

    private NamedSql sql(String text) {
        String inDialect = text.replace("{same_tenant}", SAME_TENANT)
                .replace("{by_alias}", dialect.byAliasIndex())
                .replace("{now}", dialect.now());
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

    List<ClaimEntry> page(ClaimBrowser.Query query) {
        Cursor after = query.after() == null ? START : query.after();
        ClaimParameters parameters = ClaimParameters.none()
                .put("tenant", query.tenant())
                .put("scope", query.scope())
                .put("created", micros(after.createdAt()))
                .put("key_hash", after.digest().bytes())
                .put("limit", query.limit());
        String statuses =
                query.statuses().stream().map(status -> "'" + status + "'").collect(joining(", "));
        NamedSql page = sql(
                PAGE.replace("{statuses}", statuses).replace("{and_scope}", query.scope() == null ? "" : AND_SCOPE));
        return slowQueries.run(connection -> {
            try (PreparedStatement statement = page.prepare(connection, parameters)) {
                return ClaimRows.entries(statement);
            }
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

    long onlyFoundBy(String secretId) {
        ClaimParameters parameters = ClaimParameters.none().put("secret_id", secretId);
        return slowQueries.run(connection -> {
            try (PreparedStatement statement = sql(ONLY_FOUND_BY).prepare(connection, parameters);
                    ResultSet rows = statement.executeQuery()) {
                return rows.next() ? rows.getLong(1) : 0L;
            }
        });
    }

    /** Computed here because {@code ChronoUnit.MICROS.between} overflows after 292 years. */
    private static long micros(Instant moment) {
        return moment.getEpochSecond() * 1_000_000 + moment.getNano() / 1_000;
    }

    private static Digest highest() {
        byte[] bytes = new byte[Digest.LENGTH];
        Arrays.fill(bytes, (byte) 0xff);
        return new Digest(bytes);
    }
}

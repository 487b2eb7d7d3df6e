// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Codec;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.Semel;
import dev.semel.claim.ClaimKey;
import dev.semel.claim.ClaimRef;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.OwnerToken;
import dev.semel.claim.RecordId;
import dev.semel.key.Secrets;
import dev.semel.testservers.DatabaseKind;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The version before aliases runs on the current schema at the same time as this version. Its statements use the
 * columns of the first schema only. They are copied here so that they do not change.
 */
@ParameterizedClass
@EnumSource
class RollingUpgradeTest {
    private static final Operation<String> TEXT = Operation.of("text", Codec.text());
    private static final ClaimKey KEY = TEXT.key("acme", "order-17");
    private static final ClaimKey ALIAS = TEXT.key("acme", "order-17, too");

    private static final String INSERT = """
            INSERT INTO idempotency_keys
                (key_hash, tenant, scope, secret_id, record_id, claim_nonce, fingerprint, status, on_stale,
                 attempt_count, fence, ttl_micros, created_at, updated_at, started_at, lease_until, run_until)
            VALUES (?, ?, 'text', 'secret', ?, ?, ?, 'IN_PROGRESS', 'RERUN', 1, 1, NULL, {now}, {now}, {now}, {now}, {now})
            """;

    private static final String SETTLE = """
            UPDATE idempotency_keys
            SET status = 'SUCCEEDED', result_type = 'text/plain', result = ?, reason = NULL, completed_at = {now},
                updated_at = {now}, expires_at = NULL
            WHERE key_hash = ? AND tenant = ? AND claim_nonce = ? AND status IN ('IN_PROGRESS', 'UNKNOWN')
            """;

    private static final String TAKE_OVER = """
            UPDATE idempotency_keys
            SET claim_nonce = ?, status = 'IN_PROGRESS'
            WHERE key_hash = ? AND tenant = ?
              AND (status = 'RETRYABLE' OR expires_at <= {now}
                   OR (status = 'IN_PROGRESS' AND lease_until <= {now} AND on_stale <> 'PARK'))
            """;

    private static final String READ = """
            SELECT status, fingerprint, reason, expires_at, lease_until
            FROM idempotency_keys WHERE key_hash = ? AND tenant = ?
            """;

    private final DatabaseKind kind;

    @TempDir
    private Path folder;

    private ClaimDatabase database;
    private JdbcClaimStore store;
    private Semel semel;
    private String now;

    RollingUpgradeTest(DatabaseKind kind) {
        this.kind = kind;
    }

    @BeforeEach
    void open() {
        Path file = folder.resolve("claims.db");
        database = ClaimDatabase.of(kind, file);
        store = database.store(2);
        now = switch (kind) {
            case POSTGRESQL -> new PostgresDialect().now();
            case MARIADB -> new MariaDbDialect(true).now();
            case SQLITE -> new SqliteDialect().now();
        };
        semel = database.closing(Semel.on(store)
                .secrets(Secrets.of("0123456789abcdef0123456789abcdef"))
                .withoutSweep()
                .build());
    }

    @AfterEach
    void close() throws Exception {
        semel.close();
        database.close();
    }

    @Test
    void row44_resultsOfTheOlderVersionAreReplayed() throws Exception {
        OwnerToken token = OwnerToken.random();
        ClaimRef ref = semel.refOf(KEY);
        assertThat(older(
                        INSERT,
                        ref.digest().bytes(),
                        ref.tenant(),
                        id(RecordId.random().bytes()),
                        id(token.bytes()),
                        new byte[32]))
                .isEqualTo(1);
        assertThat(older(
                        SETTLE,
                        "by the older".getBytes(StandardCharsets.UTF_8),
                        ref.digest().bytes(),
                        ref.tenant(),
                        id(token.bytes())))
                .isEqualTo(1);

        assertThat(store.find(ref)).isPresent();
        assertThat(store.counts("acme")).hasSize(1);
        assertThat(semel.execute(TEXT, KEY.alsoKnownAs(ALIAS.key()), Fingerprint.NONE, run -> "by the newer"))
                .isEqualTo(new Outcome.Succeeded<>("by the older", true));
    }

    @Test
    void row44_claimsOfTheOlderVersionHaveNoSketch_andAMismatchIsDetected() throws Exception {
        Fingerprint first = Fingerprint.of("first");
        ClaimRef ref = semel.refOf(KEY);
        older(
                INSERT,
                ref.digest().bytes(),
                ref.tenant(),
                id(RecordId.random().bytes()),
                id(OwnerToken.random().bytes()),
                first.bytes());

        Fingerprint second = Fingerprint.of("second").withSketch(new byte[] {1});
        assertThat(semel.execute(TEXT, KEY, second, run -> "ran"))
                .isInstanceOfSatisfying(Outcome.Mismatch.class, mismatch -> {
                    assertThat(mismatch.earlier()).isEqualTo(first);
                    assertThat(mismatch.earlier().sketch()).isEmpty();
                });
    }

    /** The older version does not know pointers. A pointer has the status UNKNOWN, so that version runs nothing. */
    @Test
    void row44_theOlderVersionFindsAPointer_andRunsNothing() throws Exception {
        semel.execute(TEXT, KEY.alsoKnownAs(ALIAS.key()), Fingerprint.NONE, run -> "by the newer");
        ClaimRef alias = semel.refOf(ALIAS);

        try (Connection connection = database.connect();
                PreparedStatement statement = connection.prepareStatement(READ)) {
            statement.setBytes(1, alias.digest().bytes());
            statement.setString(2, alias.tenant());
            try (ResultSet row = statement.executeQuery()) {
                assertThat(row.next()).isTrue();
                assertThat(row.getString("status")).isEqualTo("UNKNOWN");
                assertThat(row.getString("reason")).isEqualTo("alias");
                assertThat(row.getObject("expires_at")).isNull();
                assertThat(new Fingerprint(row.getBytes("fingerprint"))).isEqualTo(Fingerprint.NONE);
            }
        }
        assertThat(older(
                        TAKE_OVER,
                        id(OwnerToken.random().bytes()),
                        alias.digest().bytes(),
                        alias.tenant()))
                .isZero();
    }

    /**
     * The older version's sweep leaves pointers without a record. Claimed again, one becomes a record; otherwise it is
     * swept.
     */
    @Test
    void row44_theOlderVersionDeletesARecord_andItsPointersCountAsAbsent() throws Exception {
        ClaimKey third = TEXT.key("acme", "order-17, three");
        semel.execute(TEXT, KEY.alsoKnownAs(ALIAS.key(), third.key()), Fingerprint.NONE, run -> "the first");
        older(
                "DELETE FROM idempotency_keys WHERE key_hash = ?",
                semel.refOf(KEY).digest().bytes());

        assertThat(semel.execute(TEXT, ALIAS, run -> "the second"))
                .isEqualTo(new Outcome.Succeeded<>("the second", false));
        semel.sweep().toCompletableFuture().join();

        assertThat(store.find(semel.refOf(ALIAS))).isPresent();
        assertThat(older(
                        "UPDATE idempotency_keys SET fence = fence WHERE key_hash = ?",
                        semel.refOf(third).digest().bytes()))
                .as("rows of the third key")
                .isZero();
    }

    private int older(String sql, Object... parameters) throws SQLException {
        try (Connection connection = database.connect();
                PreparedStatement statement = connection.prepareStatement(sql.replace("{now}", now))) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setObject(i + 1, parameters[i]);
            }
            return statement.executeUpdate();
        }
    }

    private Object id(byte[] bytes) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        return kind == DatabaseKind.POSTGRESQL ? new UUID(buffer.getLong(), buffer.getLong()) : bytes;
    }
}

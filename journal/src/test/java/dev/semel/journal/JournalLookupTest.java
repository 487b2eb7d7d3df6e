// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal;

import static dev.semel.journal.Entries.call;
import static dev.semel.journal.Entries.entry;
import static dev.semel.journal.Entries.get;
import static dev.semel.journal.Entries.written;
import static dev.semel.journal.InboxEntries.WAIT;
import static dev.semel.journal.InboxEntries.recorded;
import static dev.semel.journal.InboxEntries.webhook;
import static dev.semel.journal.InboxEntries.webhookOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.semel.jdbc.sql.Database;
import dev.semel.journal.JournalLookup.Kind;
import dev.semel.journal.JournalLookup.Match;
import dev.semel.journal.JournalLookup.Matches;
import dev.semel.journal.calls.CallOutcome;
import dev.semel.journal.calls.CallSignature;
import dev.semel.journal.inbox.InboxEvent;
import dev.semel.journal.ledger.LedgerEntry;
import dev.semel.journal.rows.JournalDialect;
import dev.semel.key.Secrets;
import dev.semel.testservers.DatabaseKind;
import dev.semel.testservers.EachDatabase;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

@ParameterizedClass
@EachDatabase
class JournalLookupTest {
    private static final List<Integer> LENGTHS = List.of(6, 7, 12, 13, 15, 16, 64);

    @Parameter
    DatabaseKind kind;

    @TempDir
    Path folder;

    private MigratedDatabase database;
    private Journal journal;

    @BeforeEach
    void open() {
        database = MigratedDatabase.of(kind, folder);
        journal = database.journal(builder -> builder.inbox(Secrets.of(InboxEntries.OLD)));
    }

    @AfterEach
    void close() throws Exception {
        database.close();
    }

    private Matches found(String tenant, String digits) {
        return get(journal.lookup().withPrefix(tenant, digits, 10));
    }

    private void isFound(String tenant, String digest, Kind expected, UUID id) {
        for (int length : LENGTHS) {
            Matches matches = found(tenant, digest.substring(0, length));
            assertThat(matches.found())
                    .as("%d digits", length)
                    .extracting(Match::kind, Match::id)
                    .containsExactly(tuple(expected, id));
            assertThat(matches.more()).isFalse();
            assertThat(found("other", digest.substring(0, length)).found()).isEmpty();
            assertThat(found(tenant + " ", digest.substring(0, length)).found()).isEmpty();
        }
    }

    @Test
    void anInboxEventIsFoundByTheBeginningOfItsClaimsDigest() {
        UUID id = recorded(get(journal.inbox().record(webhook("ev_1", "tx_1"), WAIT)));
        recorded(get(journal.inbox().record(webhook("ev_2"), WAIT)));

        isFound("acme", journal.inbox().digestOf("acme", "paypal", "ev_1").hex(), Kind.INBOX_EVENT, id);
        InboxEvent event = get(journal.inbox().find("acme", id)).orElseThrow();
        assertThat(found("acme", event.keyPrefix().substring("ev_".length())).found())
                .containsExactly(new Match(Kind.INBOX_EVENT, id, event.receivedAt()));
    }

    @Test
    void anEventThatWasRecordedAgainAfterItsClaimExpiredHasAnotherId() {
        UUID first = recorded(get(journal.inbox().record(webhook("ev_1"), WAIT)));
        database.execute("DELETE FROM idempotency_keys");
        UUID second = recorded(get(journal.inbox().record(webhook("ev_1"), WAIT)));

        String digest = journal.inbox().digestOf("acme", "paypal", "ev_1").hex();
        assertThat(found("acme", digest.substring(0, 13)).found())
                .extracting(Match::id)
                .containsExactlyInAnyOrder(first, second);
        Matches one = get(journal.lookup().withPrefix("acme", digest, 1));
        assertThat(one.found()).hasSize(1);
        assertThat(one.more()).isTrue();
    }

    @Test
    void aTenantFindsOnlyItsOwnEvents() {
        UUID id = recorded(get(journal.inbox().record(webhookOf("acme", "ev_1", "{}"), WAIT)));
        UUID other = recorded(get(journal.inbox().record(webhookOf("globex", "ev_1", "{}"), WAIT)));

        isFound("acme", journal.inbox().digestOf("acme", "paypal", "ev_1").hex(), Kind.INBOX_EVENT, id);
        isFound("globex", journal.inbox().digestOf("globex", "paypal", "ev_1").hex(), Kind.INBOX_EVENT, other);
    }

    @Test
    void anIdOfAnotherFormIsNoMatch() {
        UUID id = recorded(get(journal.inbox().record(webhook("ev_1"), WAIT)));
        String digest = journal.inbox().digestOf("acme", "paypal", "ev_2").hex();
        String random = "%s-%s-4000-8000-000000000000".formatted(digest.substring(0, 8), digest.substring(8, 12));
        database.execute("UPDATE webhook_inbox SET id = '%s' WHERE id = '%s'".formatted(random, id));

        assertThat(found("acme", digest.substring(0, 6)).found()).isEmpty();
    }

    @Test
    void aLedgerEventIsFoundByTheHashOfItsKey() {
        UUID id = written(get(journal.ledger().ingest(entry("k")))).id();
        written(get(journal.ledger().ingest(entry("other"))));

        isFound("acme", LedgerEntry.keyHashOf("acme", "k").hex(), Kind.LEDGER_EVENT, id);
    }

    @Test
    void aCallIsFoundByTheHashOfItsSignature() {
        UUID id = ((CallOutcome.Inserted) get(journal.calls().record(call("acme", "signature")))).callId();
        get(journal.calls().record(call("acme", "another")));
        get(journal.calls().record(call("acme", null)));

        isFound("acme", CallSignature.hashOf("signature"), Kind.CALL, id);
    }

    /** With three rows a database would rather read the whole table, so the plans of two databases are enough. */
    @Test
    void eachLookUpReadsARangeOfAUniqueIndex() throws Exception {
        assumeTrue(!kind.isMariaDbOrMySql());
        boolean postgres = kind == DatabaseKind.POSTGRESQL;
        Database type = postgres ? Database.POSTGRESQL : Database.SQLITE;
        Map<Kind, String> indexes = Map.of(
                Kind.INBOX_EVENT, postgres ? "webhook_inbox_pkey" : "sqlite_autoindex_webhook_inbox_1 (id>? AND id<?)",
                Kind.LEDGER_EVENT,
                        postgres ? "ledger_ingestion_idempotency_pkey" : "PRIMARY KEY (key_hash>? AND key_hash<?)",
                Kind.CALL, "calls_site_signature_hash_uq");
        for (Kind each : Kind.values()) {
            String sql = JournalLookup.sql(each, type, JournalDialect.of(type, Duration.ofSeconds(2)))
                    .replaceAll(":\\w*id\\b", "'%s'".formatted(new UUID(0, 0)))
                    .replaceAll(":(limit|scan)", "10")
                    .replaceAll("(?<!:):(?!:)\\w+", "''");
            try (Connection connection = database.dataSource().getConnection();
                    Statement statement = connection.createStatement()) {
                if (postgres) {
                    statement.execute("SET enable_seqscan = off");
                    statement.execute("SET enable_sort = off");
                }
                String plan = lines(statement.executeQuery((postgres ? "EXPLAIN " : "EXPLAIN QUERY PLAN ") + sql));
                assertThat(plan).contains(indexes.get(each)).doesNotContain("Seq Scan", "SCAN e");
            }
        }
    }

    private static String lines(ResultSet rows) throws SQLException {
        StringBuilder all = new StringBuilder();
        while (rows.next()) {
            all.append(rows.getString(rows.getMetaData().getColumnCount())).append('\n');
        }
        return all.toString();
    }

    @Test
    void wrongPrefixesAndLimitsAreRefused() {
        for (String wrong : List.of("", "01234", "0".repeat(65), "ABCDEF", "0000%_", "ev_0123456789abc")) {
            assertThatIllegalArgumentException().isThrownBy(() -> found("acme", wrong));
        }
        for (int limit : List.of(0, JournalLookup.MAX_LIMIT + 1)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> journal.lookup().withPrefix("acme", "012345", limit));
        }
    }
}

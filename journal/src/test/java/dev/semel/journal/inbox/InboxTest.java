// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.inbox;

import static dev.semel.journal.Entries.get;
import static dev.semel.journal.InboxEntries.WAIT;
import static dev.semel.journal.InboxEntries.all;
import static dev.semel.journal.InboxEntries.paying;
import static dev.semel.journal.InboxEntries.recorded;
import static dev.semel.journal.InboxEntries.sentBy;
import static dev.semel.journal.InboxEntries.text;
import static dev.semel.journal.InboxEntries.webhook;
import static dev.semel.journal.InboxEntries.webhookOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.claim.StoreException;
import dev.semel.journal.InboxEntries;
import dev.semel.journal.Journal;
import dev.semel.journal.MigratedDatabase;
import dev.semel.key.Secrets;
import dev.semel.payload.Body;
import dev.semel.payload.seal.SealException;
import dev.semel.testservers.DatabaseKind;
import dev.semel.testservers.EachDatabase;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

@ParameterizedClass
@EachDatabase
class InboxTest {
    @Parameter
    DatabaseKind kind;

    @TempDir
    Path folder;

    private MigratedDatabase database;
    private Inbox inbox;

    @BeforeEach
    void open() {
        database = MigratedDatabase.of(kind, folder);
        inbox = InboxEntries.inbox(database);
    }

    @AfterEach
    void close() throws Exception {
        database.close();
    }

    private InboxOutcome record(InboxEntry entry) {
        return get(inbox.record(entry, WAIT));
    }

    @Test
    void anEventIsReturnedUnchanged() {
        UUID id = recorded(record(webhook("ev_1")));

        InboxEvent event = get(inbox.find("acme", id)).orElseThrow();
        assertThat(event.provider()).isEqualTo("paypal");
        assertThat(event.eventType()).isEqualTo("PAYMENT.CAPTURE.COMPLETED");
        assertThat(event.keyPrefix()).matches("ev_[0-9a-f]{13}");
        assertThat(event.verified()).isTrue();
        assertThat(event.payloadHash()).hasSize(64);
        assertThat(event.receivedAt()).isNotNull();
        assertThat(event.ackedAt()).isNull();
        assertThat(text(event)).isEqualTo("{\"secret\":\"hidden-content\"}");
        assertThat(((InboxContent.Opened) event.content()).headers())
                .isEqualTo(Map.of("paypal-transmission-id", "hidden-header"));
        assertThat(all(inbox, InboxQuery.of("acme"))).containsExactly(event);
    }

    /** The queries are those of docs/journal.md. */
    @Test
    void thePrefixFindsTheClaim() throws Exception {
        UUID id = recorded(record(webhook("ev_1", "tx_1")));
        recorded(record(webhook("ev_2")));

        String digest = get(inbox.find("acme", id)).orElseThrow().keyPrefix().substring("ev_".length());

        String query = switch (kind) {
            case POSTGRESQL -> """
                    SELECT encode(key_hash, 'hex') FROM idempotency_keys
                    WHERE key_hash BETWEEN decode(rpad('%1$s', 64, '0'), 'hex') AND decode(rpad('%1$s', 64, 'f'), 'hex')
                    """;
            case MARIADB, MYSQL -> """
                    SELECT lower(hex(key_hash)) FROM idempotency_keys
                    WHERE key_hash BETWEEN unhex(rpad('%1$s', 64, '0')) AND unhex(rpad('%1$s', 64, 'f'))
                    """;
            case SQLITE -> "SELECT lower(hex(key_hash)) FROM idempotency_keys WHERE lower(hex(key_hash)) LIKE '%1$s%%'";
        };
        assertThat(database.single(query.formatted(digest)))
                .isEqualTo(inbox.digestOf("acme", "paypal", "ev_1").hex());
    }

    @Test
    void aRepeatIsDuplicate_andSaysWhetherItDiffers() throws Exception {
        UUID id = recorded(record(webhook("ev_1")));

        assertThat(record(webhook("ev_1"))).isEqualTo(new InboxOutcome.Duplicate(Optional.of(id), false));
        assertThat(record(webhookOf("acme", "ev_1", "re-rendered")))
                .isEqualTo(new InboxOutcome.Duplicate(Optional.of(id), true));
        assertThat(database.count("webhook_inbox")).isEqualTo(1);
    }

    @Test
    void everyKeyOfAnEventFindsIt() throws Exception {
        UUID id = recorded(record(webhook("ev_1", "tx_1", "digest_1")));

        assertThat(record(webhook("tx_1"))).isEqualTo(new InboxOutcome.Duplicate(Optional.of(id), false));
        assertThat(record(webhook("digest_1", "another"))).isInstanceOf(InboxOutcome.Duplicate.class);
        assertThat(record(webhook("another"))).isEqualTo(new InboxOutcome.Duplicate(Optional.of(id), false));
        assertThat(database.count("webhook_inbox")).isEqualTo(1);
    }

    @Test
    void aPaymentIsProcessedOnce_inWhateverEventItArrives() throws Exception {
        UUID id = recorded(record(paying(webhook("ev_1", "tx_1"), "paypal:7")));

        assertThat(record(paying(webhook("ev_2"), "paypal:7"))).isEqualTo(new InboxOutcome.PaymentDuplicate());
        assertThat(record(paying(webhook("ev_2"), "paypal:7")))
                .as("the event is settled")
                .isEqualTo(new InboxOutcome.Duplicate(Optional.empty(), false));
        assertThat(record(paying(webhook("ev_1"), "paypal:7")))
                .as("a duplicate of the first event")
                .isEqualTo(new InboxOutcome.Duplicate(Optional.of(id), false));
        recorded(record(paying(webhook("ev_3"), "paypal:8")));
        recorded(record(webhook("ev_refund")));
        recorded(record(paying(webhookOf("globex", "ev_1", "{}"), "paypal:7")));
        assertThat(database.count("webhook_inbox")).isEqualTo(4);
    }

    @Test
    void theSameKeyOfAnotherTenantOrProviderIsAnotherEvent() throws Exception {
        recorded(record(webhook("ev_1")));
        recorded(record(webhookOf("globex", "ev_1", "{}")));
        recorded(record(sentBy(webhook("ev_1"), "stripe", "charge.succeeded")));

        assertThat(database.count("webhook_inbox")).isEqualTo(3);
    }

    @Test
    void pagesHaveOnlyTheTenantsEvents_inOrder_andCanBeFiltered() {
        UUID first = recorded(record(webhook("ev_1")));
        UUID second = recorded(record(sentBy(webhook("ev_2"), "stripe", null)));
        UUID third = recorded(record(webhook("ev_3")));
        UUID fourth = recorded(record(webhook("ev_4")));
        recorded(record(webhookOf("globex", "ev_5", "{}")));
        get(inbox.ack("acme", third, "billing"));

        InboxQuery query = InboxQuery.of("acme");
        assertThat(all(inbox, query)).extracting(InboxEvent::id).containsExactly(first, second, third, fourth);
        assertThat(all(inbox, query.from("paypal"))).extracting(InboxEvent::id).containsExactly(first, third, fourth);
        assertThat(all(inbox, query.onlyUnacknowledged()))
                .extracting(InboxEvent::id)
                .containsExactly(first, second, fourth);
        assertThat(get(inbox.back(query.from("paypal"), null, 1)).items()).isEqualTo(1);
        assertThat(get(inbox.back(InboxQuery.of("nobody"), null, 10)).items()).isZero();
        assertThat(all(inbox, query.onlyUnacknowledged().from("paypal")))
                .extracting(InboxEvent::id)
                .containsExactly(first, fourth);
        assertThat(all(inbox, query.from("toss"))).isEmpty();
        assertThatThrownBy(() -> inbox.page(query, "nonsense", 10)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void anEventIsAcknowledgedOnce_andByItsTenantOnly() {
        UUID id = recorded(record(webhook("ev_1")));

        assertThat(get(inbox.ack("globex", id, "mallory"))).isEqualTo(new Acknowledgement.Unknown());
        assertThat(get(inbox.ack("acme", UUID.randomUUID(), "billing"))).isEqualTo(new Acknowledgement.Unknown());
        assertThat(get(inbox.ack("acme", id, "billing"))).isEqualTo(new Acknowledgement.Accepted());
        InboxEvent event = get(inbox.find("acme", id)).orElseThrow();
        assertThat(event.ackedBy()).isEqualTo("billing");
        assertThat(event.ackedAt()).isAfterOrEqualTo(event.receivedAt());
        assertThat(get(inbox.ack("acme", id, "shipping")))
                .isEqualTo(new Acknowledgement.Before(event.ackedAt(), "billing"));
        assertThat(get(inbox.find("globex", id))).isEmpty();
    }

    @Test
    void onlyEventsAcknowledgedLongAgoAreDeleted() throws Exception {
        List<UUID> ids = new ArrayList<>();
        List<InboxEntry> entries = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            entries.add(webhook("ev_" + i));
        }
        get(inbox.recordAll(entries, WAIT)).forEach(outcome -> ids.add(recorded(outcome)));
        get(inbox.ack("acme", ids.get(0), "billing"));
        get(inbox.ack("acme", ids.get(1), "billing"));
        age(ids.get(1), "acked_at", 29);
        get(inbox.ack("acme", ids.get(2), "billing"));
        age(ids.get(2), "acked_at", 31);
        age(ids.get(3), "received_at", 400);

        assertThat(get(inbox.purge())).isEqualTo(1);
        assertThat(all(inbox, InboxQuery.of("acme")))
                .extracting(InboxEvent::id)
                .containsExactlyInAnyOrder(ids.get(0), ids.get(1), ids.get(3));
        assertThat(get(inbox.purge())).isZero();
    }

    /** More events than one batch deletes. */
    @Test
    void retentionDeletesBatchAfterBatch() throws Exception {
        List<InboxEntry> entries = new ArrayList<>();
        for (int i = 0; i < 1_100; i++) {
            entries.add(webhook("ev_" + i));
        }
        assertThat(get(inbox.recordAll(entries, WAIT))).allMatch(InboxOutcome.Recorded.class::isInstance);
        database.execute("UPDATE webhook_inbox SET acked_at = received_at, acked_by = 'all'");

        assertThat(get(inbox.purge())).as("nothing is acknowledged yet").isZero();
        assertThat(get(database.journal(builder ->
                                builder.inbox(Secrets.of(InboxEntries.OLD)).inboxRetention(Duration.ZERO))
                        .inbox()
                        .purge()))
                .isEqualTo(1_100);
        assertThat(database.count("webhook_inbox")).isZero();
    }

    private void age(UUID id, String column, int days) throws Exception {
        String earlier = switch (kind) {
            case POSTGRESQL -> "%s - interval '%d days'".formatted(column, days);
            case MARIADB, MYSQL -> "%s - INTERVAL %d DAY".formatted(column, days);
            case SQLITE -> "%s - %d * 86400000000".formatted(column, days);
        };
        database.execute("UPDATE webhook_inbox SET %s = %s WHERE id = '%s'".formatted(column, earlier, id));
    }

    /** Searches every column of every row of both tables, as bytes and as text. */
    @Test
    void nothingIsStoredUnencrypted() throws Exception {
        record(paying(webhook("ev_hidden-key", "tx_hidden-alias"), "hidden-payment"));
        record(webhook("ev_plain-hidden-key"));

        for (String table : List.of("webhook_inbox", "idempotency_keys")) {
            try (Connection connection = database.connect();
                    Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery("SELECT * FROM " + table)) {
                int seen = 0;
                while (rows.next()) {
                    seen++;
                    for (int column = 1; column <= rows.getMetaData().getColumnCount(); column++) {
                        String name = table + "." + rows.getMetaData().getColumnName(column);
                        Object value = rows.getObject(column);
                        String shown = value instanceof byte[] bytes
                                ? new String(bytes, StandardCharsets.ISO_8859_1)
                                : String.valueOf(value);
                        assertThat(shown).as(name).doesNotContain("hidden");
                    }
                }
                assertThat(seen).as(table).isGreaterThanOrEqualTo(2);
            }
        }
    }

    @Test
    void aBodyIsDecryptedInItsOwnRowOnly_andOtherEventsAreStillShown() throws Exception {
        UUID first = recorded(record(webhookOf("acme", "ev_1", "one")));
        UUID second = recorded(record(webhookOf("acme", "ev_2", "two")));
        database.execute(
                "UPDATE webhook_inbox SET body = (SELECT body FROM (SELECT body FROM webhook_inbox WHERE id = '%s') AS o)"
                                .formatted(first)
                        + " WHERE id = '%s'".formatted(second));

        List<InboxEvent> events = all(inbox, InboxQuery.of("acme"));
        assertThat(text(events.get(0))).isEqualTo("one");
        assertThat(events.get(1).content()).isEqualTo(new InboxContent.Unopened(SealException.Reason.NOT_AUTHENTIC));
    }

    @Test
    void aBadRowFailsAlone_andTheNextDeliveryIsWritten() throws Exception {
        refusePoison();
        List<InboxEntry> entries = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            entries.add(sentBy(webhook("ev_" + i), "paypal", i == 23 ? "poison" : "fine"));
        }
        List<InboxOutcome> outcomes = get(inbox.recordAll(entries, WAIT));

        for (int i = 0; i < 40; i++) {
            if (i == 23) {
                assertThat(outcomes.get(i))
                        .isInstanceOfSatisfying(
                                InboxOutcome.Failed.class,
                                failed -> assertThat(failed.cause().kind()).isEqualTo(StoreException.Kind.REJECTED));
            } else {
                recorded(outcomes.get(i));
            }
        }
        assertThat(database.count("webhook_inbox")).isEqualTo(39);
        recorded(record(sentBy(webhookOf("acme", "ev_23", "another body"), "paypal", "fine")));
    }

    private void refusePoison() throws Exception {
        database.execute(
                kind == DatabaseKind.SQLITE
                        ? """
                        CREATE TRIGGER no_poison BEFORE INSERT ON webhook_inbox WHEN NEW.event_type = 'poison'
                        BEGIN SELECT RAISE(ABORT, 'poison'); END
                        """
                        : "ALTER TABLE webhook_inbox ADD CONSTRAINT no_poison CHECK (event_type <> 'poison')");
    }

    @Test
    void anEventNeedsNeitherTypeNorHeadersNorContent() {
        InboxEntry bare = new InboxEntry(
                "acme",
                "momo",
                webhook("ev_1").keys(),
                null,
                new Body("application/octet-stream", new byte[0]),
                Map.of(),
                false,
                null);
        UUID id = recorded(record(bare));

        InboxEvent event = get(inbox.find("acme", id)).orElseThrow();
        assertThat(event.eventType()).isNull();
        assertThat(event.verified()).isFalse();
        assertThat(event.content()).isEqualTo(new InboxContent.Opened(bare.body(), Map.of()));
    }

    @Test
    void anEventTwiceInOneDeliveryIsStoredOnce() throws Exception {
        List<InboxOutcome> outcomes =
                get(inbox.recordAll(List.of(webhook("ev_1"), webhook("ev_2"), webhook("ev_1")), WAIT));

        UUID first = recorded(outcomes.get(0));
        recorded(outcomes.get(1));
        assertThat(outcomes.get(2)).isEqualTo(new InboxOutcome.Duplicate(Optional.of(first), false));
        assertThat(database.count("webhook_inbox")).isEqualTo(2);
    }

    @Test
    void largeBodiesAreWrittenTogether() throws Exception {
        List<InboxEntry> entries = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            entries.add(webhookOf("acme", "ev_" + i, "x".repeat(3 * 1024 * 1024)));
        }
        assertThat(get(inbox.recordAll(entries, WAIT))).allMatch(InboxOutcome.Recorded.class::isInstance);
        assertThat(database.count("webhook_inbox")).isEqualTo(8);
    }

    @Test
    void withoutSecretsThereIsNoInbox_andTheErrorSaysSo() {
        assertThatThrownBy(() -> database.journal().inbox())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("inbox(secrets)");
    }

    @Test
    void afterClosingEveryCallIsAnswered() {
        Journal journal = database.journal(builder -> builder.inbox(Secrets.of(InboxEntries.OLD)));
        journal.close();

        CompletableFuture<InboxOutcome> late =
                journal.inbox().record(webhook("late"), WAIT).toCompletableFuture();
        assertThat(get(late)).isInstanceOf(InboxOutcome.Failed.class);
        assertThat(get(journal.inbox().ack("acme", UUID.randomUUID(), "billing")))
                .isInstanceOf(Acknowledgement.Failed.class);
    }
}

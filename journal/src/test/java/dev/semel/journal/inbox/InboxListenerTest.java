// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.inbox;

import static dev.semel.journal.Entries.get;
import static dev.semel.journal.InboxEntries.OLD;
import static dev.semel.journal.InboxEntries.WAIT;
import static dev.semel.journal.InboxEntries.paying;
import static dev.semel.journal.InboxEntries.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.ClaimEvent;
import dev.semel.ClaimListener;
import dev.semel.StoreCall;
import dev.semel.journal.MigratedDatabase;
import dev.semel.key.Secrets;
import dev.semel.testservers.DatabaseKind;
import dev.semel.testservers.EachDatabase;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/** Listeners hear of each event's claim, of its payment's claim, and of each batch. */
@ParameterizedClass
@EachDatabase
class InboxListenerTest {
    @Parameter
    DatabaseKind kind;

    @TempDir
    Path folder;

    private final List<String> heard = new CopyOnWriteArrayList<>();
    private final List<ClaimEvent> events = new CopyOnWriteArrayList<>();
    private final List<StoreCall> calls = new CopyOnWriteArrayList<>();
    private MigratedDatabase database;
    private Inbox inbox;

    @BeforeEach
    void open() {
        database = MigratedDatabase.of(kind, folder);
        inbox = database.journal(builder -> builder.inbox(Secrets.of(OLD)).claimListener(new ClaimListener() {
                    @Override
                    public void onClaim(ClaimEvent event) {
                        events.add(event);
                        heard.add(event.scope() + " " + event.kind());
                        throw new IllegalStateException("of a listener");
                    }

                    @Override
                    public void onStoreCall(StoreCall call) {
                        calls.add(call);
                    }
                }))
                .inbox();
    }

    @AfterEach
    void close() throws Exception {
        database.close();
    }

    private void record(InboxEntry entry) {
        assertThat(get(inbox.record(entry, WAIT))).isNotInstanceOf(InboxOutcome.Failed.class);
    }

    @Test
    void aNewEventAndItsDuplicate() {
        record(webhook("ev_1"));
        assertThat(heard).containsExactly("webhook:paypal GRANTED", "webhook:paypal SUCCEEDED");
        assertThat(events.get(0).ttl()).isEqualTo(Duration.ofDays(1));
        assertThat(events.get(0).ref().digest()).isEqualTo(inbox.digestOf("acme", "paypal", "ev_1"));

        record(webhook("ev_1"));

        assertThat(heard.subList(2, heard.size())).containsExactly("webhook:paypal REPLAYED");
        assertThat(calls)
                .hasSize(2)
                .allSatisfy(call -> assertThat(call.size()).isEqualTo(1))
                .allSatisfy(call -> assertThat(call.answered()).isTrue())
                .allSatisfy(call -> assertThat(call.waited()).isBetween(Duration.ZERO, Duration.ofMinutes(1)));
    }

    @Test
    void aPaymentIsAClaimToo() {
        record(paying(webhook("ev_1"), "paypal:7"));
        record(paying(webhook("ev_2"), "paypal:7"));

        assertThat(heard)
                .containsExactly(
                        "webhook:paypal GRANTED",
                        "webhook:paypal SUCCEEDED",
                        "payment_confirmation GRANTED",
                        "payment_confirmation SUCCEEDED",
                        "webhook:paypal GRANTED",
                        "webhook:paypal SUCCEEDED",
                        "payment_confirmation REPLAYED");
    }

    /** Equal events of one process share a write. Each of them is heard of. */
    @Test
    void everyConcurrentDuplicateIsHeardOf() {
        get(inbox.recordAll(
                IntStream.range(0, 50).mapToObj(i -> webhook("ev_1")).toList(), WAIT));

        assertThat(Collections.frequency(heard, "webhook:paypal GRANTED")).isEqualTo(1);
        assertThat(Collections.frequency(heard, "webhook:paypal SUCCEEDED")).isEqualTo(1);
        assertThat(Collections.frequency(heard, "webhook:paypal REPLAYED")).isEqualTo(49);
        assertThat(heard).hasSize(51);
    }
}

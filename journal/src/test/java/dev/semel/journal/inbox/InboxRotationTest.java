// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.inbox;

import static dev.semel.journal.Entries.get;
import static dev.semel.journal.InboxEntries.FRESH;
import static dev.semel.journal.InboxEntries.OLD;
import static dev.semel.journal.InboxEntries.WAIT;
import static dev.semel.journal.InboxEntries.all;
import static dev.semel.journal.InboxEntries.paying;
import static dev.semel.journal.InboxEntries.recorded;
import static dev.semel.journal.InboxEntries.text;
import static dev.semel.journal.InboxEntries.webhook;
import static dev.semel.journal.InboxEntries.webhookOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.journal.MigratedDatabase;
import dev.semel.key.Secrets;
import dev.semel.payload.seal.SealException;
import dev.semel.testservers.DatabaseKind;
import dev.semel.testservers.EachDatabase;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/** The secret is rotated. Events are recognized and decrypted at every step. */
@ParameterizedClass
@EachDatabase
class InboxRotationTest {
    private static final List<Secrets> STEPS =
            List.of(Secrets.of(OLD), Secrets.of(OLD, FRESH), Secrets.of(FRESH, OLD), Secrets.of(FRESH));

    @Parameter
    DatabaseKind kind;

    @TempDir
    Path folder;

    @Test
    void eventsAreRecognizedAtEveryStep_andDecryptedWhileTheirSecretIsActive() throws Exception {
        try (MigratedDatabase database = MigratedDatabase.of(kind, folder)) {
            List<Inbox> inboxes = STEPS.stream()
                    .map(secrets ->
                            database.journal(builder -> builder.inbox(secrets)).inbox())
                    .toList();
            List<UUID> ids = new ArrayList<>();
            for (int made = 0; made < 4; made++) {
                ids.add(recorded(get(inboxes.get(made).record(event(made), WAIT))));
                for (int step = Math.max(0, made - 1); step <= Math.min(3, made + 1); step++) {
                    assertThat(get(inboxes.get(step).record(event(made), WAIT)))
                            .as("recorded at step %d, sent again at step %d", made, step)
                            .isEqualTo(new InboxOutcome.Duplicate(Optional.of(ids.get(made)), false));
                    assertThat(get(inboxes.get(step)
                                    .record(paying(webhook("another_" + made + "_" + step), "pay_" + made), WAIT)))
                            .as("the payment of step %d, at step %d", made, step)
                            .isEqualTo(new InboxOutcome.PaymentDuplicate());
                }
            }
            for (int step = 1; step <= 2; step++) {
                assertThat(all(inboxes.get(step), InboxQuery.of("acme")))
                        .extracting(event -> text(event))
                        .containsExactly("body 0", "body 1", "body 2", "body 3");
            }
            List<InboxEvent> retired = all(inboxes.get(3), InboxQuery.of("acme"));
            assertThat(retired).extracting(InboxEvent::id).containsExactlyElementsOf(ids);
            assertThat(retired.get(0).content())
                    .isEqualTo(new InboxContent.Unopened(SealException.Reason.UNKNOWN_SECRET));
            assertThat(text(retired.get(3))).isEqualTo("body 3");
            assertThat(database.count("webhook_inbox")).isEqualTo(4);
        }
    }

    private static InboxEntry event(int step) {
        return paying(webhookOf("acme", "ev_" + step, "body " + step, "tx_" + step), "pay_" + step);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal;

import dev.semel.journal.inbox.Inbox;
import dev.semel.journal.inbox.InboxContent;
import dev.semel.journal.inbox.InboxEntry;
import dev.semel.journal.inbox.InboxEvent;
import dev.semel.journal.inbox.InboxKeys;
import dev.semel.journal.inbox.InboxOutcome;
import dev.semel.journal.inbox.InboxPayment;
import dev.semel.journal.inbox.InboxQuery;
import dev.semel.journal.page.Page;
import dev.semel.key.Secret;
import dev.semel.key.Secrets;
import dev.semel.payload.Body;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Inbox entries as a webhook gate makes them. */
public final class InboxEntries {
    public static final Secret OLD = Secret.of("the old secret: 0123456789abcdef0123456789abcdef");
    public static final Secret FRESH = Secret.of("the new secret: fedcba9876543210fedcba9876543210");

    /** Longer than any pause of the test machine. */
    public static final Duration WAIT = Duration.ofSeconds(60);

    private static final Duration TTL = Duration.ofDays(1);

    private InboxEntries() {}

    public static Inbox inbox(MigratedDatabase database) {
        return database.journal(builder -> builder.inbox(Secrets.of(OLD))).inbox();
    }

    public static InboxEntry webhook(String key, String... aliases) {
        return webhookOf("acme", key, "{\"secret\":\"hidden-content\"}", aliases);
    }

    public static InboxEntry webhookOf(String tenant, String key, String body, String... aliases) {
        return new InboxEntry(
                tenant,
                "paypal",
                new InboxKeys(key, List.of(aliases), "ev_0123456789abc", TTL),
                "PAYMENT.CAPTURE.COMPLETED",
                new Body("application/json", body.getBytes(StandardCharsets.UTF_8)),
                Map.of("paypal-transmission-id", "hidden-header"),
                true,
                null);
    }

    public static InboxEntry paying(InboxEntry entry, String payment) {
        return new InboxEntry(
                entry.tenant(),
                entry.provider(),
                entry.keys(),
                entry.eventType(),
                entry.body(),
                entry.headers(),
                entry.verified(),
                new InboxPayment("payment_confirmation", payment, TTL));
    }

    public static InboxEntry sentBy(InboxEntry entry, String provider, String eventType) {
        return new InboxEntry(
                entry.tenant(),
                provider,
                entry.keys(),
                eventType,
                entry.body(),
                entry.headers(),
                entry.verified(),
                entry.payment());
    }

    public static UUID recorded(InboxOutcome outcome) {
        if (outcome instanceof InboxOutcome.Recorded recorded) {
            return recorded.id();
        }
        throw new AssertionError("Not recorded: " + outcome);
    }

    /** The stored event: the new one or the existing one. */
    public static UUID stored(InboxOutcome outcome) {
        return outcome instanceof InboxOutcome.Duplicate duplicate
                ? duplicate.id().orElseThrow()
                : recorded(outcome);
    }

    public static String text(InboxEvent event) {
        if (event.content() instanceof InboxContent.Opened opened) {
            return new String(opened.body().bytes(), StandardCharsets.UTF_8);
        }
        throw new AssertionError("Not decrypted: " + event);
    }

    /** All events of a tenant's inbox, read page by page. */
    public static List<InboxEvent> all(Inbox inbox, InboxQuery query) {
        List<InboxEvent> events = new ArrayList<>();
        String cursor = null;
        while (true) {
            Page<InboxEvent> page = Entries.get(inbox.page(query, cursor, 3));
            events.addAll(page.items());
            cursor = page.cursor();
            if (page.items().isEmpty()) {
                return events;
            }
        }
    }
}

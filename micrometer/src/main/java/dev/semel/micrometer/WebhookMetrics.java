// SPDX-License-Identifier: Apache-2.0
package dev.semel.micrometer;

import dev.semel.webhooks.EventStatus;
import dev.semel.webhooks.WebhookListener;
import dev.semel.webhooks.WebhookNotice;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Set;

/**
 * Counts what happens at webhook gates: {@code WebhookGate.on(semel).listener(WebhookMetrics.on(registry))}. It needs {@code
 * semel-webhooks}. Tags are the provider's configured name and the outcome. docs/metrics.md lists the counters.
 *
 * <p>As a {@link MeterBinder}, it can be made before its registry. It does not count what happened before it was bound.
 */
public final class WebhookMetrics implements WebhookListener, MeterBinder {
    private static final Set<EventStatus> DUPLICATES =
            Set.of(EventStatus.ALREADY_PROCESSED, EventStatus.PAYMENT_DUPLICATE, EventStatus.IN_PROGRESS);

    private final BoundCounters counters = new BoundCounters();

    /** Counts nothing until it is bound. */
    public WebhookMetrics() {}

    /** Counts in this registry. */
    public static WebhookMetrics on(MeterRegistry registry) {
        WebhookMetrics metrics = new WebhookMetrics();
        metrics.bindTo(registry);
        return metrics;
    }

    /** Counts in this registry too. */
    @Override
    public void bindTo(MeterRegistry registry) {
        counters.bindTo(registry);
    }

    @Override
    public void onNotice(WebhookNotice notice) {
        Tags provider = Tags.of("provider", notice.provider());
        if (notice instanceof WebhookNotice.EventOutcome outcome) {
            Tags tags = provider.and("outcome", outcome.status().text());
            counters.count("webhook.event", "Events by outcome", tags);
            if (DUPLICATES.contains(outcome.status())) {
                counters.count("webhook.duplicate", "Events that were processed before or are in progress", tags);
            }
        } else if (notice instanceof WebhookNotice.ContentDiffers) {
            counters.count("webhook.differs", "Duplicates with other content than the processed event", provider);
        } else if (notice instanceof WebhookNotice.Replayed) {
            counters.count("webhook.replayed", "Events that an operator processed again", provider);
        } else if (notice instanceof WebhookNotice.DeliveryRefused) {
            counters.count("webhook.refused", "Deliveries whose signature could not be verified", provider);
        } else if (notice instanceof WebhookNotice.UnverifiedDelivery) {
            counters.count("webhook.unverified", "Deliveries that were accepted without verification", provider);
        }
    }
}

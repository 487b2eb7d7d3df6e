// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.webhooks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.admin.WebhookCounts;
import dev.semel.payload.compare.Difference;
import dev.semel.webhooks.EventStatus;
import dev.semel.webhooks.WebhookNotice;
import java.util.List;
import org.junit.jupiter.api.Test;

class WebhookStatisticsTest {
    private final WebhookStatistics statistics = new WebhookStatistics();

    @Test
    void everyNoticeIsCountedForItsTenantAndProvider() {
        for (EventStatus status : EventStatus.values()) {
            statistics.onNotice(new WebhookNotice.EventOutcome("acme", "paypal", "ev_1", status));
        }
        statistics.onNotice(
                new WebhookNotice.ContentDiffers("acme", "paypal", "ev_1", new Difference(List.of(), true)));
        statistics.onNotice(new WebhookNotice.DeliveryRefused("acme", "paypal"));
        statistics.onNotice(new WebhookNotice.UnverifiedDelivery("acme", "paypal"));
        statistics.onNotice(new WebhookNotice.DeliveryRefused("acme", "adyen"));
        statistics.onNotice(new WebhookNotice.DeliveryRefused("globex", "paypal"));

        assertThat(statistics.of("acme"))
                .containsExactly(
                        new WebhookCounts("adyen", 0, 0, 0, 0, 0, 1, 0, 0),
                        new WebhookCounts("paypal", 1, 3, 2, 1, 1, 1, 1, 0));
        assertThat(statistics.of("acme").get(1).received()).isEqualTo(8);
        assertThat(statistics.of("nobody")).isEmpty();
    }

    @Test
    void theNumberOfSeriesIsBounded() {
        for (int i = 0; i < WebhookStatistics.MAX_SERIES + 10; i++) {
            statistics.onNotice(new WebhookNotice.DeliveryRefused("tenant-" + i, "paypal"));
        }

        assertThat(statistics.of("tenant-0")).hasSize(1);
        assertThat(statistics.of("tenant-" + (WebhookStatistics.MAX_SERIES + 5)))
                .isEmpty();
    }
}

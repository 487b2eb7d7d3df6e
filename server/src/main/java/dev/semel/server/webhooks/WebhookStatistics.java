// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.webhooks;

import dev.semel.admin.WebhookCounts;
import dev.semel.webhooks.EventStatus;
import dev.semel.webhooks.WebhookListener;
import dev.semel.webhooks.WebhookNotice;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts webhooks by tenant and provider since the start. At most {@value #MAX_SERIES} pairs of tenant and provider are
 * counted, further ones are not.
 */
public final class WebhookStatistics implements WebhookListener {
    /** How many pairs of tenant and provider are counted. */
    static final int MAX_SERIES = 1_000;

    private enum Count {
        PROCESSED,
        DUPLICATES,
        FAILED,
        INVALID,
        DIFFERING,
        REFUSED,
        UNVERIFIED,
        REPLAYED;

        static Count of(WebhookNotice notice) {
            if (notice instanceof WebhookNotice.EventOutcome outcome) {
                return of(outcome.status());
            }
            if (notice instanceof WebhookNotice.ContentDiffers) {
                return DIFFERING;
            }
            if (notice instanceof WebhookNotice.Replayed) {
                return REPLAYED;
            }
            return notice instanceof WebhookNotice.DeliveryRefused ? REFUSED : UNVERIFIED;
        }

        private static Count of(EventStatus status) {
            return switch (status) {
                case PROCESSED -> PROCESSED;
                case ALREADY_PROCESSED, PAYMENT_DUPLICATE, IN_PROGRESS -> DUPLICATES;
                case FAILED, UNAVAILABLE -> FAILED;
                case INVALID -> INVALID;
            };
        }
    }

    private record Series(String tenant, String provider) {}

    private final Map<Series, Map<Count, LongAdder>> counts = new ConcurrentHashMap<>();

    @Override
    public void onNotice(WebhookNotice notice) {
        Series series = new Series(notice.tenant(), notice.provider());
        Map<Count, LongAdder> known = counts.get(series);
        if (known == null) {
            if (counts.size() >= MAX_SERIES) {
                return;
            }
            known = counts.computeIfAbsent(series, first -> zeros());
        }
        LongAdder count = known.get(Count.of(notice));
        if (count != null) {
            count.increment();
        }
    }

    private static Map<Count, LongAdder> zeros() {
        Map<Count, LongAdder> zeros = new EnumMap<>(Count.class);
        for (Count count : Count.values()) {
            zeros.put(count, new LongAdder());
        }
        return zeros;
    }

    /** Returns the counts of a tenant, by provider. */
    public List<WebhookCounts> of(String tenant) {
        return counts.entrySet().stream()
                .filter(entry -> entry.getKey().tenant().equals(tenant))
                .map(entry -> counts(entry.getKey().provider(), entry.getValue()))
                .sorted(Comparator.comparing(WebhookCounts::provider))
                .toList();
    }

    private static WebhookCounts counts(String provider, Map<Count, LongAdder> counted) {
        return new WebhookCounts(
                provider,
                sum(counted, Count.PROCESSED),
                sum(counted, Count.DUPLICATES),
                sum(counted, Count.FAILED),
                sum(counted, Count.INVALID),
                sum(counted, Count.DIFFERING),
                sum(counted, Count.REFUSED),
                sum(counted, Count.UNVERIFIED),
                sum(counted, Count.REPLAYED));
    }

    private static long sum(Map<Count, LongAdder> counted, Count count) {
        LongAdder adder = counted.get(count);
        return adder == null ? 0 : adder.sum();
    }
}

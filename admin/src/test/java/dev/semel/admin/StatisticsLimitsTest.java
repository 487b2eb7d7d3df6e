// SPDX-License-Identifier: Apache-2.0
package dev.semel.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.ClaimEvent;
import dev.semel.ClaimEvent.Kind;
import dev.semel.claim.ClaimRef;
import dev.semel.claim.Digest;
import dev.semel.internal.ScopeLabels;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class StatisticsLimitsTest {
    private static final Digest DIGEST = new Digest(new byte[Digest.LENGTH]);

    private final AtomicLong now = new AtomicLong(Duration.ofDays(3).toNanos());
    private final ClaimStatistics statistics =
            new ClaimStatistics(Duration.ofMinutes(10), now::get, () -> Instant.EPOCH.plusNanos(now.get()));

    private void happen(String tenant, String scope) {
        statistics.onClaim(new ClaimEvent(Kind.GRANTED, new ClaimRef(tenant, DIGEST), scope, 1, null));
    }

    private long series() {
        return statistics.all().values().stream().mapToLong(Map::size).sum();
    }

    @Test
    void pairsOfTenantAndScopeAreBoundedTogether() {
        for (int tenant = 0; tenant < 50; tenant++) {
            for (int scope = 0; scope < 150; scope++) {
                happen("tenant-" + tenant, "scope-" + scope);
            }
        }

        assertThat(series()).isLessThanOrEqualTo(ClaimStatistics.MAX_SERIES);
        assertThat(statistics.of("tenant-49"))
                .as("a tenant that comes late is counted")
                .containsKey(ScopeLabels.OTHER);
    }

    @Test
    void scopesWithoutEventsMakeRoomForOthers() {
        for (int tenant = 0; tenant < 2 * ClaimStatistics.MAX_SERIES; tenant++) {
            happen("tenant-" + tenant, "pay");
        }
        for (int scope = 0; scope < 150; scope++) {
            happen("tenant-0", "scope-" + scope);
        }
        assertThat(statistics.of("late")).isEmpty();
        now.addAndGet(Duration.ofMinutes(11).toNanos());

        happen("late", "pay");
        happen("tenant-0", "new");

        assertThat(statistics.of("late")).containsOnlyKeys("pay");
        assertThat(statistics.of("tenant-0")).containsOnlyKeys("new");
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.server.config.LimitSettings;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class NewKeyRateTest {
    /** So large that the bucket does not refill by one during a test, even on a slow machine. */
    private static final int MAX = 600;

    private static final int MAX_BYTES = 4 * MAX;

    private final NewKeyRate rate = new NewKeyRate(new LimitSettings(
            1,
            1,
            1,
            1,
            1,
            1,
            Duration.ofSeconds(1),
            Duration.ofSeconds(1),
            Duration.ofSeconds(1),
            1,
            1,
            1,
            MAX,
            1,
            MAX_BYTES,
            Duration.ofDays(1)));

    @Test
    void unusedRoomIsGivenBack() {
        assertThat(rate.tryTake("acme", MAX)).isEmpty();
        assertThat(rate.tryTake("acme", MAX)).isPresent();

        rate.giveBack("acme", MAX, 0);

        assertThat(rate.tryTake("acme", MAX)).isEmpty();
    }

    @Test
    void moreThanTheBucketHoldsNeedsAFullOneAndGivesBackWhatWasNotUsed() {
        assertThat(rate.tryTake("other", 1)).isEmpty();
        assertThat(rate.tryTake("other", 10 * MAX)).as("not a full one").isPresent();
        assertThat(rate.tryTake("acme", 10 * MAX)).isEmpty();

        rate.giveBack("acme", 10 * MAX, MAX / 2);

        assertThat(rate.tryTake("acme", MAX)).as("half was used").isPresent();
        assertThat(rate.tryTake("acme", MAX / 2)).as("and half was given back").isEmpty();
    }

    /** Otherwise a tenant could claim a batch of any size whenever its bucket is full. */
    @Test
    void moreThanTheBucketHoldsLeavesADebt() {
        assertThat(rate.tryTake("acme", 10 * MAX, 10L * MAX_BYTES)).isEmpty();

        assertThat(retryAfter(rate.tryTake("acme", 1))).isBetween(8 * MAX, 9 * MAX + 1);
        assertThat(retryAfter(rate.tryTakeResult("acme", 1))).isBetween(8 * MAX_BYTES, 9 * MAX_BYTES + 1);
    }

    private static int retryAfter(Optional<ProblemDetail> refused) {
        return Integer.parseInt(refused.orElseThrow().headers().get("Retry-After"));
    }

    @Test
    void tenantsHaveBucketsOfTheirOwn() {
        assertThat(rate.tryTake("acme", MAX)).isEmpty();
        assertThat(rate.tryTake("other", MAX)).isEmpty();
    }

    @Test
    void bytesAreBoundedToo() {
        assertThat(rate.tryTake("acme", 1, 2 * MAX)).isEmpty();
        ProblemDetail tooMuch = rate.tryTake("acme", 1, 2 * MAX).orElseThrow();

        assertThat(tooMuch.type()).isEqualTo(ProblemType.TOO_MUCH_NEW_DATA);
        assertThat(Integer.parseInt(tooMuch.headers().get("Retry-After"))).isBetween(1, 2 * MAX);
        assertThat(rate.tryTake("acme", MAX - 1)).as("the key was given back").isEmpty();
        assertThat(rate.tryTake("other", 1, 2 * MAX)).as("another tenant").isEmpty();
    }

    @Test
    void bytesThatWereNotStoredComeBack() {
        assertThat(rate.tryTake("acme", 2, 3 * MAX)).isEmpty();
        assertThat(rate.tryTake("acme", 1, MAX)).isPresent();

        rate.giveBack("acme", 2, 1, 3 * MAX, MAX);

        assertThat(rate.tryTake("acme", 1, 2 * MAX)).isEmpty();
        assertThat(rate.tryTake("acme", 1, MAX)).isPresent();
    }

    @Test
    void aPartIsKeptForResults() {
        assertThat(rate.tryTake("acme", 1, 3 * MAX)).isEmpty();
        assertThat(rate.tryTake("acme", 1, 100)).isPresent();
        assertThat(rate.tryTakeResult("acme", MAX)).isEmpty();
        assertThat(rate.tryTakeResult("acme", MAX)).isPresent();

        rate.giveBackResult("acme", MAX);

        assertThat(rate.tryTakeResult("acme", MAX)).isEmpty();
    }

    @Test
    void whatIsLargerThanTheBucketTakesAllOfIt() {
        assertThat(rate.tryTake("acme", 1, 100L * MAX_BYTES)).isEmpty();
        assertThat(rate.tryTake("acme", 1, 100)).isPresent();
        assertThat(rate.tryTakeResult("other", 100L * MAX_BYTES)).isEmpty();
        assertThat(rate.tryTakeResult("other", 100)).isPresent();
    }

    /** Clients choose tenant names. The number of buckets is limited, and further tenants share one. */
    @Test
    void tenantsBeyondTheBoundShareABucket() {
        for (int i = 0; i < TenantBuckets.MAX_TENANTS; i++) {
            assertThat(rate.tryTake("tenant-" + i, MAX)).isEmpty();
        }
        assertThat(rate.tryTake("one too many", MAX)).isEmpty();
        assertThat(rate.tryTake("two too many", MAX)).isPresent();

        rate.giveBack("one too many", MAX, 0);

        assertThat(rate.tryTake("two too many", MAX)).isEmpty();
    }
}

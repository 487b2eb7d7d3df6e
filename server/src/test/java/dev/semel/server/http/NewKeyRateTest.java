// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.server.config.LimitSettings;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class NewKeyRateTest {
    /** A bucket that is not filled by one while a machine stands still. */
    private static final int MOST = 600;

    private static final int MOST_BYTES = 4 * MOST;

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
            MOST,
            1,
            MOST_BYTES,
            Duration.ofDays(1)));

    @Test
    void whatWasNotUsedComesBack() {
        assertThat(rate.tryTake("acme", MOST)).isEmpty();
        assertThat(rate.tryTake("acme", MOST)).isPresent();

        rate.giveBack("acme", MOST, 0);

        assertThat(rate.tryTake("acme", MOST)).isEmpty();
    }

    @Test
    void moreThanTheBucketHoldsNeedsAFullOneAndGivesBackWhatWasNotUsed() {
        assertThat(rate.tryTake("other", 1)).isEmpty();
        assertThat(rate.tryTake("other", 10 * MOST)).as("not a full one").isPresent();
        assertThat(rate.tryTake("acme", 10 * MOST)).isEmpty();

        rate.giveBack("acme", 10 * MOST, MOST / 2);

        assertThat(rate.tryTake("acme", MOST)).as("a half was used").isPresent();
        assertThat(rate.tryTake("acme", MOST / 2)).as("and a half came back").isEmpty();
    }

    /** Otherwise a tenant could claim a batch of any size whenever its bucket is full. */
    @Test
    void moreThanTheBucketHoldsLeavesADebt() {
        assertThat(rate.tryTake("acme", 10 * MOST, 10L * MOST_BYTES)).isEmpty();

        assertThat(retryAfter(rate.tryTake("acme", 1))).isBetween(8 * MOST, 9 * MOST + 1);
        assertThat(retryAfter(rate.tryTakeResult("acme", 1))).isBetween(8 * MOST_BYTES, 9 * MOST_BYTES + 1);
    }

    private static int retryAfter(Optional<Problem> refused) {
        return Integer.parseInt(refused.orElseThrow().headers().get("Retry-After"));
    }

    @Test
    void tenantsHaveBucketsOfTheirOwn() {
        assertThat(rate.tryTake("acme", MOST)).isEmpty();
        assertThat(rate.tryTake("other", MOST)).isEmpty();
    }

    @Test
    void bytesAreBoundedToo() {
        assertThat(rate.tryTake("acme", 1, 2 * MOST)).isEmpty();
        Problem tooMuch = rate.tryTake("acme", 1, 2 * MOST).orElseThrow();

        assertThat(tooMuch.type()).isEqualTo(ProblemType.TOO_MUCH_NEW_DATA);
        assertThat(Integer.parseInt(tooMuch.headers().get("Retry-After"))).isBetween(1, 2 * MOST);
        assertThat(rate.tryTake("acme", MOST - 1)).as("the key came back").isEmpty();
        assertThat(rate.tryTake("other", 1, 2 * MOST)).as("another tenant").isEmpty();
    }

    @Test
    void bytesThatWereNotStoredComeBack() {
        assertThat(rate.tryTake("acme", 2, 3 * MOST)).isEmpty();
        assertThat(rate.tryTake("acme", 1, MOST)).isPresent();

        rate.giveBack("acme", 2, 1, 3 * MOST, MOST);

        assertThat(rate.tryTake("acme", 1, 2 * MOST)).isEmpty();
        assertThat(rate.tryTake("acme", 1, MOST)).isPresent();
    }

    @Test
    void aPartIsKeptForResults() {
        assertThat(rate.tryTake("acme", 1, 3 * MOST)).isEmpty();
        assertThat(rate.tryTake("acme", 1, 100)).isPresent();
        assertThat(rate.tryTakeResult("acme", MOST)).isEmpty();
        assertThat(rate.tryTakeResult("acme", MOST)).isPresent();

        rate.giveBackResult("acme", MOST);

        assertThat(rate.tryTakeResult("acme", MOST)).isEmpty();
    }

    @Test
    void whatIsLargerThanTheBucketTakesAllOfIt() {
        assertThat(rate.tryTake("acme", 1, 100L * MOST_BYTES)).isEmpty();
        assertThat(rate.tryTake("acme", 1, 100)).isPresent();
        assertThat(rate.tryTakeResult("other", 100L * MOST_BYTES)).isEmpty();
        assertThat(rate.tryTakeResult("other", 100)).isPresent();
    }

    /** Names of tenants come from outside: memory holds so many, and the others share one bucket. */
    @Test
    void tenantsBeyondTheBoundShareABucket() {
        for (int i = 0; i < TenantBuckets.MOST_TENANTS; i++) {
            assertThat(rate.tryTake("tenant-" + i, MOST)).isEmpty();
        }
        assertThat(rate.tryTake("one too many", MOST)).isEmpty();
        assertThat(rate.tryTake("two too many", MOST)).isPresent();

        rate.giveBack("one too many", MOST, 0);

        assertThat(rate.tryTake("two too many", MOST)).isEmpty();
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import dev.semel.Missing;
import dev.semel.spi.ClaimBrowser.Cursor;
import dev.semel.spi.ClaimBrowser.Query;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClaimBrowserQueryTest {
    private static final Digest LOW = Digest.ofHex("01".repeat(32));
    private static final Digest HIGH = Digest.ofHex("ff".repeat(32));

    @Test
    void asksForEverythingByDefault() {
        Query query = Query.of("acme", 10);

        assertThat(query).isEqualTo(new Query("acme", null, EnumSet.allOf(Status.class), null, null, null, null, 10));
        assertThat(new Query("acme", null, Set.of(), null, null, null, null, 10))
                .isEqualTo(query);
    }

    @Test
    void isNarrowedStepByStep() {
        Cursor cursor = new Cursor(Instant.EPOCH, LOW);
        Query query = Query.of("acme", 10)
                .inScope("card.charge")
                .withStatus(Status.FAILED, Status.UNKNOWN)
                .after(cursor);

        assertThat(query)
                .isEqualTo(new Query(
                        "acme", "card.charge", Set.of(Status.FAILED, Status.UNKNOWN), null, null, null, cursor, 10));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 1_000})
    void takesALimitWithinItsBounds(int limit) {
        assertThat(Query.of("acme", limit).limit()).isEqualTo(limit);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 1_001})
    void refusesALimitBeyondItsBounds(int limit) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Query.of("acme", limit))
                .withMessage("A page must have 1 to 1000 entries, but %d were asked for", limit);
    }

    @Test
    void boundsTenantAndScope() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Query.of("", 1))
                .withMessage("A tenant must have 1 to 255 characters, but has 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Query.of("acme", 1).inScope("s".repeat(1_025)))
                .withMessage("A scope must have 1 to 1024 characters, but has 1025");
        assertThatNullPointerException()
                .isThrownBy(() -> new Query("acme", null, Missing.value(), null, null, null, null, 1))
                .withMessage("The statuses must not be null");
    }

    @Test
    void pagesGoFromTheNewestAndByDigestWithinAMoment() {
        Cursor newest = new Cursor(Instant.ofEpochSecond(2), LOW);
        Cursor second = new Cursor(Instant.ofEpochSecond(1), HIGH);
        Cursor third = new Cursor(Instant.ofEpochSecond(1), LOW);

        assertThat(Stream.of(third, newest, second).sorted(Cursor.NEWEST_FIRST)).containsExactly(newest, second, third);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Digest;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class RunStartsTest {
    private static final ClaimRef FIRST = ref("acme", 0, 31);

    /** Has the same hash as the first: 31 * 0 + 31 and 31 * 1 + 0. */
    private static final ClaimRef SAME_PLACE = ref("acme", 1, 0);

    private final RunStarts starts = new RunStarts();

    private static ClaimRef ref(String tenant, int lastButOne, int last) {
        byte[] bytes = new byte[Digest.LENGTH];
        bytes[Digest.LENGTH - 2] = (byte) lastButOne;
        bytes[Digest.LENGTH - 1] = (byte) last;
        return new ClaimRef(tenant, new Digest(bytes));
    }

    @Test
    void aStartIsToldOnce() {
        starts.began(FIRST, 17);

        assertThat(starts.ended(FIRST)).isEqualTo(OptionalLong.of(17));
        assertThat(starts.ended(FIRST)).isEmpty();
    }

    @Test
    void aTakeOverBeginsAgain() {
        starts.began(FIRST, 17);
        starts.began(FIRST, 18);

        assertThat(starts.ended(FIRST)).isEqualTo(OptionalLong.of(18));
    }

    @Test
    void theLaterOfTwoClaimsInOnePlaceIsKept() {
        assertThat(SAME_PLACE.hashCode()).isEqualTo(FIRST.hashCode());
        starts.began(FIRST, 17);
        starts.began(SAME_PLACE, 18);

        assertThat(starts.ended(FIRST)).as("never the start of another claim").isEmpty();
        assertThat(starts.ended(SAME_PLACE)).isEqualTo(OptionalLong.of(18));
    }

    @Test
    void anotherTenantsStartIsNotTold() {
        starts.began(FIRST, 17);

        assertThat(starts.ended(ref("globex", 0, 31))).isEmpty();
    }

    @Test
    void aNegativeHashHasAPlace() {
        for (int last = 0; last < 256; last++) {
            ClaimRef ref = ref("acme", 255, last);
            starts.began(ref, last);
            assertThat(starts.ended(ref)).isEqualTo(OptionalLong.of(last));
        }
    }
}

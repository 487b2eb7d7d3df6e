// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.ClaimEvent.Kind;
import dev.semel.RecentSettlements.Settled;
import dev.semel.claim.OwnerToken;
import org.junit.jupiter.api.Test;

class RecentSettlementsTest {
    private final RecentSettlements recent = new RecentSettlements();

    @Test
    void knowsNothingAtFirst() {
        assertThat(recent.get(token(0, 0))).isNull();
        recent.put(token(1, 0), "charge", 1, Kind.SUCCEEDED);
        assertThat(recent.get(token(0, 0))).isNull();
    }

    @Test
    void remembersWhatWasReported() {
        recent.put(token(1, 1), "charge", 3, Kind.SUCCEEDED);
        recent.put(token(2, 1), "char".concat("ge"), 1, Kind.PARKED);

        assertThat(recent.get(token(1, 1))).isEqualTo(new Settled("charge", 3, Kind.SUCCEEDED));
        assertThat(recent.get(token(2, 1))).isEqualTo(new Settled("charge", 1, Kind.PARKED));
    }

    /** Scopes may be long and unique. */
    @Test
    void keepsAThousandScopes() {
        for (int i = 0; i <= 1_000; i++) {
            recent.put(token(1, 1), "step:" + i, 2, Kind.SUCCEEDED);
        }

        assertThat(recent.get(token(1, 1))).isEqualTo(new Settled(null, 2, Kind.SUCCEEDED));
        recent.put(token(1, 1), "step:999", 2, Kind.SUCCEEDED);
        assertThat(recent.get(token(1, 1))).isEqualTo(new Settled("step:999", 2, Kind.SUCCEEDED));
    }

    @Test
    void theSameTokenAgainReplacesTheEarlierReport() {
        recent.put(token(1, 1), "charge", 1, Kind.SUCCEEDED);
        recent.put(token(1, 1), "charge", 1, Kind.FAILED);

        assertThat(recent.get(token(1, 1))).isEqualTo(new Settled("charge", 1, Kind.FAILED));
    }

    @Test
    void aTokenWithTheSamePlaceReplacesTheEarlierOne() {
        recent.put(token(1, 1), "charge", 1, Kind.SUCCEEDED);
        assertThat(recent.get(token(1, 2))).isNull();
        recent.put(token(1, 2), "refund", 1, Kind.SUCCEEDED);

        assertThat(recent.get(token(1, 1))).isNull();
        assertThat(recent.get(token(1, 2))).isEqualTo(new Settled("refund", 1, Kind.SUCCEEDED));
    }

    private static OwnerToken token(int place, int number) {
        byte[] bytes = new byte[OwnerToken.LENGTH];
        bytes[7] = (byte) place;
        bytes[15] = (byte) number;
        return new OwnerToken(bytes);
    }
}

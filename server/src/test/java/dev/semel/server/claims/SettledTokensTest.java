// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.claims;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.claim.OwnerToken;
import org.junit.jupiter.api.Test;

class SettledTokensTest {
    private final SettledTokens settled = new SettledTokens();

    @Test
    void remembersTheTokensThatSettled() {
        settled.add(token(7, 1));
        settled.add(token(8, 1));

        assertThat(settled.contains(token(7, 1))).isTrue();
        assertThat(settled.contains(token(8, 1))).isTrue();
        assertThat(settled.contains(token(9, 1))).isFalse();
    }

    @Test
    void aTokenWithTheSamePlaceReplacesTheEarlierOne() {
        settled.add(token(7, 1));
        assertThat(settled.contains(token(7, 2))).isFalse();
        settled.add(token(7, 2));

        assertThat(settled.contains(token(7, 1))).isFalse();
        assertThat(settled.contains(token(7, 2))).isTrue();
    }

    private static OwnerToken token(int place, int number) {
        byte[] bytes = new byte[OwnerToken.LENGTH];
        bytes[7] = (byte) place;
        bytes[15] = (byte) number;
        return new OwnerToken(bytes);
    }
}

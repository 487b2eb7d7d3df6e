// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.claim.OwnerToken;
import org.junit.jupiter.api.Test;

class RecentClaimsTest {
    private final RecentClaims<String> recent = new RecentClaims<>(2);

    @Test
    void theOldestIsForgotten() {
        recent.put(token(1), "one");
        recent.put(token(2), "two");
        assertThat(recent.get(token(1))).isEqualTo("one");
        recent.put(token(3), "three");

        assertThat(recent.get(token(1))).isNull();
        assertThat(recent.get(token(2))).isEqualTo("two");
        assertThat(recent.get(token(3))).isEqualTo("three");
    }

    @Test
    void aReplacedOneIsTheYoungest() {
        recent.put(token(1), "one");
        recent.put(token(2), "two");
        recent.put(token(1), "changed");
        recent.put(token(3), "three");

        assertThat(recent.get(token(1))).isEqualTo("changed");
        assertThat(recent.get(token(2))).isNull();
    }

    @Test
    void aRemovedOneIsForgottenAndNeedsNoPlace() {
        recent.put(token(1), "one");
        recent.put(token(2), "two");
        recent.remove(token(2));
        recent.put(token(3), "three");

        assertThat(recent.get(token(2))).isNull();
        assertThat(recent.get(token(1))).isEqualTo("one");
        assertThat(recent.get(token(3))).isEqualTo("three");
    }

    private static OwnerToken token(int number) {
        byte[] bytes = new byte[OwnerToken.LENGTH];
        bytes[0] = (byte) number;
        return new OwnerToken(bytes);
    }
}

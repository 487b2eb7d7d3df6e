// SPDX-License-Identifier: Apache-2.0
package dev.semel.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import dev.semel.Missing;
import org.junit.jupiter.api.Test;

class ClaimKeyTest {
    @Test
    void takesEveryPartUpToItsBound() {
        ClaimKey longest = new ClaimKey("t".repeat(255), "s".repeat(1_024), "k".repeat(4_096));

        assertThat(longest.tenant()).hasSize(255);
        assertThat(longest.scope()).hasSize(1_024);
        assertThat(longest.key()).hasSize(4_096);
    }

    @Test
    void refusesEveryPartBeyondItsBound() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ClaimKey("t".repeat(256), "s", "k"))
                .withMessage("A tenant must have 1 to 255 characters, but has 256");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ClaimKey("t", "s".repeat(1_025), "k"))
                .withMessage("A scope must have 1 to 1024 characters, but has 1025");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ClaimKey("t", "s", "k".repeat(4_097)))
                .withMessage("A key must have 1 to 4096 characters, but has 4097");
    }

    @Test
    void refusesEveryMissingPart() {
        assertThatNullPointerException()
                .isThrownBy(() -> new ClaimKey(Missing.value(), "s", "k"))
                .withMessage("A tenant must not be null");
        assertThatNullPointerException()
                .isThrownBy(() -> new ClaimKey("t", Missing.value(), "k"))
                .withMessage("A scope must not be null");
        assertThatNullPointerException()
                .isThrownBy(() -> new ClaimKey("t", "s", Missing.value()))
                .withMessage("A key must not be null");
    }

    @Test
    void isComparedCharacterByCharacter() {
        ClaimKey key = new ClaimKey("t", "s", "caf\u00e9");

        assertThat(key).isEqualTo(new ClaimKey("t", "s", "caf\u00e9"));
        assertThat(key).isNotEqualTo(new ClaimKey("t", "s", "cafe\u0301"));
        assertThat(key).isNotEqualTo(new ClaimKey("t", "s", "CAF\u00c9"));
        assertThat(key).isNotEqualTo(new ClaimKey("t", "s", "caf\u00e9 "));
    }

    @Test
    void doesNotShowItsKey() {
        assertThat(new ClaimKey("acme", "card.charge", "4111111111111111"))
                .hasToString("ClaimKey[tenant=acme, scope=card.charge, key=hidden]");
    }
}

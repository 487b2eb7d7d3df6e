// SPDX-License-Identifier: Apache-2.0
package dev.semel.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import dev.semel.Missing;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ClaimRefTest {
    private static final Digest LOW = Digest.ofHex("01".repeat(32));
    private static final Digest HIGH = Digest.ofHex("ff".repeat(32));

    @Test
    void boundsItsTenant() {
        assertThat(new ClaimRef("t".repeat(255), LOW).tenant()).hasSize(255);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ClaimRef("t".repeat(256), LOW))
                .withMessage("A tenant must have 1 to 255 characters, but has 256");
    }

    @Test
    void requiresADigest() {
        assertThatNullPointerException()
                .isThrownBy(() -> new ClaimRef("t", Missing.value()))
                .withMessage("A claim's digest must not be null");
    }

    @Test
    void isOrderedByDigestAndThenByTenant() {
        ClaimRef first = new ClaimRef("b", LOW);
        ClaimRef second = new ClaimRef("a", HIGH);
        ClaimRef third = new ClaimRef("b", HIGH);

        assertThat(Stream.of(third, second, first).sorted()).containsExactly(first, second, third);
        assertThat(second).isEqualByComparingTo(new ClaimRef("a", HIGH));
    }

    @Test
    void showsNoMoreOfItsDigestThanALogMay() {
        assertThat(new ClaimRef("acme", HIGH)).hasToString("ClaimRef[tenant=acme, digest=ffffffffffffffff]");
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import dev.semel.Missing;
import dev.semel.claim.ClaimKey;
import dev.semel.claim.ClaimRef;
import dev.semel.claim.Digest;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class KeyDigestsTest {
    private static final Secret SECRET = Secret.of("0123456789abcdef0123456789abcdef");
    private static final KeyDigests DIGESTS = new KeyDigests(SECRET);
    private static final ClaimKey KEY = new ClaimKey("acme", "card.charge", "order-17");

    /**
     * Computed independently, from the description in {@link KeyDigests}. If this test fails, the code is wrong and not
     * the test: with another digest, no stored claim would be found again, and every effect could happen twice.
     */
    @Test
    void digestsNeverChange() {
        assertThat(DIGESTS.refOf(ClaimMode.LEASED, KEY))
                .isEqualTo(new ClaimRef(
                        "acme", Digest.ofHex("e87a0652737e50c052d9728e688926803846311136a61852f2a072e017d236bd")));
        assertThat(DIGESTS.refOf(ClaimMode.TRANSACTIONAL, KEY).digest().hex())
                .isEqualTo("3c1612a9f1c6fba80a18608f9039f3ffc4d592967d46c0b01bbe699b0e3e9508");
    }

    @Test
    void differByEveryPart() {
        assertThat(leased("acme", "card.charge", "order-17"))
                .isNotEqualTo(leased("acmf", "card.charge", "order-17"))
                .isNotEqualTo(leased("acme", "card.chargf", "order-17"))
                .isNotEqualTo(leased("acme", "card.charge", "order-18"))
                .isNotEqualTo(leased("acme", "card.charge", "ORDER-17"))
                .isNotEqualTo(DIGESTS.refOf(ClaimMode.TRANSACTIONAL, KEY).digest());
    }

    @Test
    void differByTheBoundariesOfTheParts() {
        assertThat(leased("ab", "c", "d")).isNotEqualTo(leased("a", "bc", "d"));
        assertThat(leased("a", "bc", "d")).isNotEqualTo(leased("a", "b", "cd"));
    }

    @Test
    void differByTheSecret() {
        KeyDigests other = new KeyDigests(Secret.of("0123456789abcdef0123456789abcdeX"));

        assertThat(other.refOf(ClaimMode.LEASED, KEY).digest())
                .isNotEqualTo(DIGESTS.refOf(ClaimMode.LEASED, KEY).digest());
    }

    /** Over a small alphabet, so that parts often share prefixes, suffixes and concatenations. */
    @Test
    void areDistinctForDistinctKeys() {
        Random random = new Random(17);
        Map<Digest, ClaimKey> seen = new HashMap<>();
        for (int i = 0; i < 20_000; i++) {
            ClaimKey key = new ClaimKey(word(random), word(random), word(random));
            ClaimKey before =
                    seen.putIfAbsent(DIGESTS.refOf(ClaimMode.LEASED, key).digest(), key);

            assertThat(before == null || before.equals(key)).isTrue();
        }
        assertThat(seen).hasSizeGreaterThan(10_000);
    }

    @Test
    void carryTheIdOfTheirSecret() {
        assertThat(DIGESTS.secretId()).isEqualTo(SECRET.id());
        assertThatNullPointerException()
                .isThrownBy(() -> new KeyDigests(Missing.<Secret>value()))
                .withMessage("A secret must not be null");
    }

    private static Digest leased(String tenant, String scope, String key) {
        return DIGESTS.refOf(ClaimMode.LEASED, new ClaimKey(tenant, scope, key)).digest();
    }

    private static String word(Random random) {
        StringBuilder word = new StringBuilder();
        do {
            word.append("ab:%".charAt(random.nextInt(4)));
        } while (random.nextInt(5) > 0);
        return word.toString();
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.key;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class HkdfTest {
    /** RFC 5869, A.1: the first 32 of its 42 bytes of output, which are the first block. */
    @Test
    void agreesWithTheRfcOnShortInputs() {
        byte[] salt = hex("000102030405060708090a0b0c");
        byte[] ikm = hex("0b".repeat(22));

        assertThat(Hkdf.hmac(salt, ikm))
                .isEqualTo(hex("077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5"));
        assertThat(new Hkdf(salt, ikm).expand(hex("f0f1f2f3f4f5f6f7f8f9")))
                .isEqualTo(hex("3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf"));
    }

    /** RFC 5869, A.2. */
    @Test
    void agreesWithTheRfcOnLongInputs() {
        Hkdf hkdf = new Hkdf(consecutive(0x60, 80), consecutive(0x00, 80));

        assertThat(hkdf.expand(consecutive(0xb0, 80)))
                .isEqualTo(hex("b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c"));
    }

    @Test
    void derivesFromLengthPrefixedParts() {
        Hkdf hkdf = new Hkdf(new byte[32]);

        assertThat(hkdf.derive("ab", "c")).isEqualTo(hkdf.expand(hex("00000002" + "6162" + "00000001" + "63")));
        assertThat(hkdf.derive("ab", "c")).isNotEqualTo(hkdf.derive("a", "bc")).isNotEqualTo(hkdf.derive("abc"));
    }

    private static byte[] consecutive(int from, int count) {
        byte[] bytes = new byte[count];
        for (int i = 0; i < count; i++) {
            bytes[i] = (byte) (from + i);
        }
        return bytes;
    }

    private static byte[] hex(String hex) {
        return HexFormat.of().parseHex(hex);
    }
}

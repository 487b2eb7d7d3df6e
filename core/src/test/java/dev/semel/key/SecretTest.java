// SPDX-License-Identifier: Apache-2.0
package dev.semel.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import dev.semel.Missing;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class SecretTest {
    private static final String TEXT = "0123456789abcdef0123456789abcdef";

    @Test
    void refusesFewerThan32Bytes() {
        assertThat(Secret.of(new byte[32]).id()).hasSize(16);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Secret.of(new byte[31]))
                .withMessage("A secret must have at least 32 bytes, but has 31: make one with `openssl rand -hex 32`");
        assertThatIllegalArgumentException().isThrownBy(() -> Secret.of("x".repeat(31)));
    }

    @Test
    void countsTheBytesOfTextAndNotItsCharacters() {
        assertThat(Secret.of("\u00e9".repeat(16)).id()).hasSize(16);
    }

    @Test
    void refusesNull() {
        assertThatNullPointerException()
                .isThrownBy(() -> Secret.of(Missing.<byte[]>value()))
                .withMessage("A secret must not be null: set one of at least 32 random bytes");
        assertThatNullPointerException()
                .isThrownBy(() -> Secret.of(Missing.<String>value()))
                .withMessage("A secret must not be null: set one of at least 32 random bytes");
    }

    /** The id is stored with every digest. A different id for the same secret would hide its claims. */
    @Test
    void hasAnIdThatNeverChanges() {
        assertThat(Secret.of(TEXT).id()).isEqualTo("f51f5474d82a0bcf");
        assertThat(Secret.of(TEXT.getBytes(StandardCharsets.UTF_8)).id())
                .isEqualTo(Secret.of(TEXT).id());
        assertThat(Secret.of(TEXT + "0").id()).isNotEqualTo(Secret.of(TEXT).id());
    }

    @Test
    void hasASubkeyForEveryPurposeAndTenant() {
        Secret secret = Secret.of(TEXT);

        assertThat(secret.subkey("p", "t"))
                .hasSize(32)
                .isEqualTo(Secret.of(TEXT).subkey("p", "t"))
                .isNotEqualTo(secret.subkey("q", "t"))
                .isNotEqualTo(secret.subkey("p", "u"))
                .isNotEqualTo(secret.subkey("pt", ""))
                .isNotEqualTo(Secret.of(TEXT + "0").subkey("p", "t"));
    }

    @Test
    void doesNotShowItself() {
        assertThat(Secret.of(TEXT)).hasToString("Secret[id=f51f5474d82a0bcf]");
    }

    @Test
    void doesNotChangeWithTheArrayItWasMadeOf() {
        byte[] bytes = TEXT.getBytes(StandardCharsets.UTF_8);
        Secret secret = Secret.of(bytes);

        bytes[0] = 0;

        assertThat(secret.subkey("p", "t")).isEqualTo(Secret.of(TEXT).subkey("p", "t"));
    }
}

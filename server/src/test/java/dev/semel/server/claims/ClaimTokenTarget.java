// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.claims;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;

/** Parses any text as a claim's token. A parsed token must be written as it was read. */
public final class ClaimTokenTarget {
    private ClaimTokenTarget() {}

    public static void accept(byte[] input) {
        String text = new String(input, StandardCharsets.UTF_8);
        ClaimToken.of(text).ifPresent(token -> {
            assertThat(text).matches("[a-z]_([0-9a-f]{16}_)?[0-9a-f]+");
            if (!token.secretId().isEmpty()) {
                assertThat(token.text()).isEqualTo(text);
                assertThat(ClaimToken.of(token.text())).contains(token);
            }
        });
    }
}

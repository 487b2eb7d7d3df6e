// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.claims;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.claim.OwnerToken;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClaimTokenTest {
    private static final String OWNER = "00112233445566778899aabbccddeeff";
    private static final String SECRET = "0123456789abcdef";

    @Test
    void readsWhatItWrote() {
        for (ResultStorage storage : ResultStorage.values()) {
            ClaimToken token = new ClaimToken(storage, SECRET, OwnerToken.ofHex(OWNER));

            assertThat(token.text()).isEqualTo(storage.letter() + "_" + SECRET + "_" + OWNER);
            assertThat(ClaimToken.of(token.text())).contains(token);
        }
    }

    /** Earlier versions wrote no secret's id. */
    @Test
    void readsTokensWithoutASecretsId() {
        assertThat(ClaimToken.of("k_" + OWNER))
                .contains(new ClaimToken(ResultStorage.REDACTED, "", OwnerToken.ofHex(OWNER)));
    }

    @Test
    void refusesEverythingElse() {
        for (String text : List.of(
                "",
                "s",
                "s_",
                "s_" + SECRET,
                "s__" + OWNER,
                "s_" + SECRET + "_",
                "x_" + SECRET + "_" + OWNER,
                "S_" + SECRET + "_" + OWNER,
                "s-" + SECRET + "_" + OWNER,
                "s_" + SECRET + "-" + OWNER,
                "s_" + SECRET + OWNER,
                "s_" + SECRET + "_" + OWNER + "0",
                "s_" + SECRET + "_" + OWNER.substring(1),
                "s_" + SECRET.replace('a', 'A') + "_" + OWNER,
                "s_" + SECRET + "_" + OWNER.replace('a', 'A'),
                "s_" + SECRET + "_" + OWNER.replace('a', 'g'),
                "s_" + OWNER.replace('f', ' '),
                "s-" + OWNER,
                " s_" + OWNER)) {
            assertThat(ClaimToken.of(text)).as(text).isEmpty();
        }
    }
}

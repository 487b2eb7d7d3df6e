// SPDX-License-Identifier: Apache-2.0
package dev.semel.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class RecordIdTest {
    private static final RecordId RECORD = new RecordId(HexFormat.of().parseHex("000102030405060708090a0b0c0d0e0f"));

    /** A different value would send different keys downstream on the next attempt, and effects would happen twice. */
    @Test
    void childKeysNeverChange() {
        // printf refund | openssl dgst -sha256 -mac HMAC -macopt hexkey:000102030405060708090a0b0c0d0e0f -binary
        assertThat(RECORD.childKey("refund")).isEqualTo("jDOcIyXrMLUQqPpV0OkAxlqvxfB3pShRlHcCkM9EshY");
    }

    @Test
    void childKeysAreUrlSafe() {
        assertThat(RECORD.childKey("charge")).matches("[A-Za-z0-9_-]{43}");
    }

    @Test
    void childKeysDifferByNameAndByRecord() {
        assertThat(RECORD.childKey("charge"))
                .isEqualTo(RECORD.childKey("charge"))
                .isNotEqualTo(RECORD.childKey("charge "))
                .isNotEqualTo(RecordId.random().childKey("charge"));
    }

    @Test
    void boundsTheNameOfAChildKey() {
        assertThat(RECORD.childKey("n".repeat(4_096))).hasSize(43);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RECORD.childKey(""))
                .withMessage("A child key's name must have 1 to 4096 characters, but has 0");
        assertThatIllegalArgumentException().isThrownBy(() -> RECORD.childKey("n".repeat(4_097)));
    }
}

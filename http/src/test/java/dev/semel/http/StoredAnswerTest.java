// SPDX-License-Identifier: Apache-2.0
package dev.semel.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StoredAnswerTest {
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 65_535, 65_536, 1 << 20})
    void itIsReadAsItWasWritten(int size) {
        byte[] body = new byte[size];
        Arrays.fill(body, (byte) 0xff);
        StoredAnswer answer = new StoredAnswer(
                StoredAnswer.Form.EXACT,
                201,
                new Expiry(1_900_000_000L),
                "",
                List.of(new HeaderLine("Location", "/ö"), new HeaderLine("Link", ""), new HeaderLine("Link", "b")),
                body);

        StoredAnswer read = StoredAnswer.of(answer.bytes());

        isSame(read, answer);
    }

    @ParameterizedTest
    @ValueSource(ints = {32_767, 32_768, 65_535})
    void aLongHeaderIsReadAsItWasWritten(int length) {
        StoredAnswer answer = new StoredAnswer(
                StoredAnswer.Form.SANITISED,
                599,
                new Expiry(null),
                "n".repeat(length),
                List.of(new HeaderLine("Link", "v".repeat(length))),
                new byte[] {1});

        isSame(StoredAnswer.of(answer.bytes()), answer);
    }

    /** Compares arrays as a whole: comparing a million bytes one by one takes many seconds. */
    private static void isSame(StoredAnswer read, StoredAnswer written) {
        assertThat(read)
                .usingRecursiveComparison()
                .withEqualsForType(Arrays::equals, byte[].class)
                .isEqualTo(written);
    }

    @Test
    void malformedBytesAreRejected() {
        byte[] bytes = StoredAnswer.nothing(200, new Expiry(null), "why").bytes();
        for (int length = 0; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            assertThatIllegalArgumentException().isThrownBy(() -> StoredAnswer.of(cut));
        }
        byte[] newer = bytes.clone();
        newer[0] = 2;
        assertThatIllegalArgumentException()
                .isThrownBy(() -> StoredAnswer.of(newer))
                .withMessageContaining("newer");
        byte[] otherForm = bytes.clone();
        otherForm[1] = 9;
        assertThatIllegalArgumentException()
                .isThrownBy(() -> StoredAnswer.of(otherForm))
                .withMessageContaining("newer");
    }

    @Test
    void anExpiryIsAnHttpDate() {
        assertThat(new Expiry(1_900_000_000L).httpDate()).contains("Sun, 17 Mar 2030 17:46:40 GMT");
        assertThat(new Expiry(null).httpDate()).isEmpty();
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IdempotencyKeyTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "k-1|k-1",
                "`\"k-1\"`|k-1",
                "` \t\"k-1\"\t `|k-1",
                "`\"a,b\"`|a,b",
                "`\"say \\\"x`|",
                "`\"\\\"\\\\\"`|`\"\\`",
                "a\"b|a\"b",
                "a\\b|a\\b",
                "`\"a\\\\b\"`|a\\b",
                "~!@#$%^&*()|~!@#$%^&*()",
            })
    void theQuotedAndTheBareFormAreTheSameKey(String header, String key) {
        IdempotencyKey read = IdempotencyKey.of(List.of(header));

        if (key == null) {
            assertThat(read).isInstanceOf(IdempotencyKey.Malformed.class);
        } else {
            assertThat(read).isEqualTo(new IdempotencyKey.Given(key));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "\"\"",
                "\"",
                "\"a",
                "\"a\\",
                "\"a\\n\"",
                "\"a\"b",
                "\"a\", \"b\"",
                "\"a\";p=1",
                "a,b",
                "a, b",
                "a b",
                "\"a b\"",
                "a\u007f",
                "a\tb",
                "a\u00e4",
                "\u0000"
            })
    void malformedHeadersAreRejectedWithoutQuotingThem(String header) {
        assertThat(IdempotencyKey.of(List.of(header)))
                .isInstanceOfSatisfying(
                        IdempotencyKey.Malformed.class,
                        malformed -> assertThat(malformed.why()).contains("Idempotency-Key"));
    }

    @Test
    void severalKeysAreRejectedEvenIfTheyAreEqual() {
        assertThat(IdempotencyKey.of(List.of("a", "a"))).isInstanceOf(IdempotencyKey.Malformed.class);
        assertThat(IdempotencyKey.of(List.of())).isInstanceOf(IdempotencyKey.Missing.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 254, 255})
    void aKeyMayHave255Characters(int length) {
        String key = "k".repeat(length);

        assertThat(IdempotencyKey.of(List.of(key))).isEqualTo(new IdempotencyKey.Given(key));
        assertThat(IdempotencyKey.of(List.of('"' + key + '"'))).isEqualTo(new IdempotencyKey.Given(key));
    }

    @Test
    void aKeyMustNotHave256Characters() {
        assertThat(IdempotencyKey.of(List.of("k".repeat(256)))).isInstanceOf(IdempotencyKey.Malformed.class);
        // Escapes do not count towards the length.
        assertThat(IdempotencyKey.of(List.of('"' + "\\\\".repeat(255) + '"')))
                .isEqualTo(new IdempotencyKey.Given("\\".repeat(255)));
    }

    @Test
    void aKeyIsNotShown() {
        assertThat(new IdempotencyKey.Given("4111-1111").toString()).doesNotContain("4111");
    }
}

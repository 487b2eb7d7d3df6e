// SPDX-License-Identifier: Apache-2.0
package dev.semel.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import dev.semel.Missing;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StoredResultTest {
    @Test
    void keepsTypeAndBytes() {
        StoredResult result = text("caf\u00e9");

        assertThat(result.type()).isEqualTo("text/plain");
        assertThat(result.bytes()).isEqualTo("caf\u00e9".getBytes(StandardCharsets.UTF_8));
        assertThat(result.size()).isEqualTo(5);
        assertThat(result.text()).isEqualTo("caf\u00e9");
        assertThat(result.isTombstone()).isFalse();
    }

    @Test
    void cannotBeChangedFromOutside() {
        byte[] given = {1, 2, 3};
        StoredResult result = new StoredResult("a/b", given);

        given[0] = 9;
        result.bytes()[0] = 9;

        assertThat(result.bytes()).containsExactly(1, 2, 3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"!", "~", "application/json;v=1"})
    void takesVisibleAsciiAsAType(String type) {
        assertThat(new StoredResult(type, new byte[0]).type()).isEqualTo(type);
    }

    @ParameterizedTest
    @ValueSource(strings = {" ", "a b", "caf\u00e9", "\u00a0"})
    void refusesAnythingElseAsAType(String type) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new StoredResult(type, new byte[0]))
                .withMessage("A result's type must be visible ASCII, but is: %s", type);
    }

    @Test
    void refusesControlCharactersInAType() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new StoredResult("a\u007f", new byte[0]))
                .withMessageContaining("U+007F at index 1");
    }

    @Test
    void boundsItsType() {
        assertThat(new StoredResult("t".repeat(64), new byte[0]).type()).hasSize(64);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new StoredResult("t".repeat(65), new byte[0]))
                .withMessage("A result's type must have 1 to 64 characters, but has 65");
    }

    @Test
    void boundsItsBytes() {
        int most = 16 * 1024 * 1024;

        assertThat(new StoredResult("a/b", new byte[most]).size()).isEqualTo(most);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new StoredResult("a/b", new byte[most + 1]))
                .withMessage("A result must have at most 16777216 bytes, but has 16777217");
        assertThatNullPointerException()
                .isThrownBy(() -> new StoredResult("a/b", Missing.value()))
                .withMessage("A result's bytes must not be null: an empty result has no bytes");
    }

    @Test
    void tombstonesSayWhyTheyAreEmpty() {
        StoredResult tombstone = StoredResult.tombstone("too large");

        assertThat(tombstone.isTombstone()).isTrue();
        assertThat(tombstone.text()).isEqualTo("too large");
        assertThat(tombstone.type()).isEqualTo("semel/tombstone");
    }

    @Test
    void anOmittedResultHasASizeAndNothingElse() {
        StoredResult omitted = StoredResult.omitted(3);

        assertThat(omitted.isOmitted()).isTrue();
        assertThat(text("abc").isOmitted()).isFalse();
        assertThat(omitted.size()).isEqualTo(3);
        assertThat(omitted.type()).isEqualTo("semel/omitted");
        assertThat(omitted.isTombstone()).isFalse();
        assertThat(omitted).isEqualTo(StoredResult.omitted(3)).hasSameHashCodeAs(StoredResult.omitted(3));
        assertThat(omitted)
                .isNotEqualTo(StoredResult.omitted(4))
                .isNotEqualTo(new StoredResult("semel/omitted", new byte[3]));
        assertThat(omitted).hasToString("StoredResult[semel/omitted, 3 bytes]");
        assertThatIllegalStateException().isThrownBy(omitted::bytes).withMessageContaining("read its claim alone");
        assertThatIllegalStateException().isThrownBy(omitted::text);
        assertThatIllegalArgumentException().isThrownBy(() -> StoredResult.omitted(-1));
    }

    @Test
    void isEqualWhereTypeAndBytesAre() {
        assertThat(text("a")).isEqualTo(text("a")).hasSameHashCodeAs(text("a"));
        assertThat(text("a"))
                .isNotEqualTo(text("b"))
                .isNotEqualTo(new StoredResult("text/html", text("a").bytes()))
                .isNotEqualTo("a");
        assertThat(text("a").hashCode())
                .isNotEqualTo(text("b").hashCode())
                .isNotEqualTo(new StoredResult("text/html", text("a").bytes()).hashCode());
    }

    @Test
    void doesNotShowItsContent() {
        assertThat(text("secret")).hasToString("StoredResult[text/plain, 6 bytes]");
    }

    private static StoredResult text(String text) {
        return new StoredResult("text/plain", text.getBytes(StandardCharsets.UTF_8));
    }
}

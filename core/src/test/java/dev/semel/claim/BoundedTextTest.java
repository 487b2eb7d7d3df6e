// SPDX-License-Identifier: Apache-2.0
package dev.semel.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import dev.semel.Missing;
import dev.semel.internal.BoundedText;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BoundedTextTest {
    private static final String HIGH = "\uD83D";
    private static final String LOW = "\uDE00";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a",
                " ",
                "12345678",
                "~",
                "\u00A0",
                "é",
                "a" + HIGH + LOW,
                HIGH + LOW + HIGH + LOW,
                "\uD800\uDC00"
            })
    void returnsWhatItAccepts(String text) {
        assertThat(BoundedText.check("A name", text, 8)).isSameAs(text);
    }

    @Test
    void refusesNullByName() {
        assertThatNullPointerException()
                .isThrownBy(() -> BoundedText.check("A name", Missing.value(), 8))
                .withMessage("A name must not be null");
    }

    @ParameterizedTest
    @CsvSource({"'', 0", "123456789, 9"})
    void refusesTextThatIsEmptyOrTooLong(String text, int length) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BoundedText.check("A name", text, 8))
                .withMessage("A name must have 1 to 8 characters, but has %d", length);
    }

    @ParameterizedTest
    @ValueSource(ints = {0x00, 0x09, 0x0A, 0x1F, 0x7F, 0x80, 0x85, 0x9F})
    void refusesControlCharactersAndSaysWhere(int control) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BoundedText.check("A name", "ab" + (char) control, 8))
                .withMessage("A name must not hold control characters, but has U+%04X at index 2", control);
    }

    @Test
    void refusesAControlCharacterBehindASurrogatePair() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BoundedText.check("A name", HIGH + LOW + "\n", 8))
                .withMessageEndingWith("at index 2");
    }

    @Test
    void refusesALoneHighSurrogateAtTheEnd() {
        refusesLoneSurrogate("a" + HIGH, 1);
    }

    @Test
    void refusesALoneHighSurrogateBeforeSomethingElse() {
        refusesLoneSurrogate(HIGH + "a", 0);
    }

    @Test
    void refusesTwoHighSurrogates() {
        refusesLoneSurrogate(HIGH + HIGH + LOW, 0);
    }

    @Test
    void refusesALoneLowSurrogate() {
        refusesLoneSurrogate("ab" + LOW, 2);
    }

    @Test
    void refusesAReversedSurrogatePair() {
        refusesLoneSurrogate(LOW + HIGH, 0);
    }

    @Test
    void refusesALowSurrogateBehindAPair() {
        refusesLoneSurrogate(HIGH + LOW + LOW, 2);
    }

    private static void refusesLoneSurrogate(String text, int index) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BoundedText.check("A name", text, 8))
                .withMessage("A name must be valid Unicode, but has a lone surrogate at index %d", index);
    }
}

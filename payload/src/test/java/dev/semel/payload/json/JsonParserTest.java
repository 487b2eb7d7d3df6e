// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload.json;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonParserTest {
    @Test
    void readsEveryKindOfValue() {
        Json json = parse(
                " { \"a\" : [ 1 , -2.5e+3 , true , false , null ] , \"b\" : { } , \"c\" : \"x\" , \"d\" : [ ] }\r\n\t");

        assertThat(json).isInstanceOf(JsonObject.class);
        JsonObject object = (JsonObject) json;
        assertThat(object.members().keySet()).containsExactly("a", "b", "c", "d");
        assertThat(object.member("a"))
                .contains(new JsonArray(List.of(
                        new JsonNumber("1"),
                        new JsonNumber("-2500"),
                        new JsonBoolean(true),
                        new JsonBoolean(false),
                        JsonNull.NULL)));
        assertThat(object.member("c")).contains(new JsonString("x"));
        assertThat(object.member("e")).isEmpty();
    }

    @Test
    void readsEscapesAndUnicode() {
        assertThat(parse("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\uD83D\\uDE00\u00e9\ud83d\ude00\u007f\""))
                .isEqualTo(new JsonString("\"\\/\b\f\n\r\t\u00e9\ud83d\ude00\u00e9\ud83d\ude00\u007f"));
    }

    @Test
    void writesWhatItReadAsItWasRead() {
        String text = "{\"b\":[1.0,1e2,-0],\"a\":\"\u00e9\\u0001\\\"\"}";

        assertThat(new String(parse(text).utf8(), UTF_8)).isEqualTo(text);
    }

    /** Row 25 of docs/failures.md. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "`` | 0 | it ends where a value is expected",
                "` ` | 1 | it ends where a value is expected",
                "{ | 1 | a member has no name",
                "{\"a\" | 4 | a member's name has no colon after it",
                "{\"a\":1 | 6 | an object is not closed",
                "{\"a\":1,} | 7 | a member has no name",
                "{a:1} | 1 | a member has no name",
                "{\"a\":1,\"a\":1} | 7 | an object has two members of the same name",
                "{\"a\":1,\"\\u0061\":2} | 7 | an object has two members of the same name",
                "[1,] | 3 | a value is missing or malformed",
                "[1 | 2 | an array is not closed",
                "[1 2] | 3 | an array is not closed",
                "[1]] | 3 | text follows the end of the document",
                "1 2 | 2 | text follows the end of the document",
                "NaN | 0 | a value is missing or malformed",
                "nul | 3 | a value is missing or malformed",
                "trUe | 2 | a value is missing or malformed",
                "Infinity | 0 | a value is missing or malformed",
                "-Infinity | 0 | a number has no digits",
                "+1 | 0 | a value is missing or malformed",
                ".5 | 0 | a value is missing or malformed",
                "01 | 0 | a number has a leading zero",
                "-01 | 0 | a number has a leading zero",
                "1. | 0 | a number has no digits after its point",
                "1.e1 | 0 | a number has no digits after its point",
                "1e | 0 | a number has no digits in its exponent",
                "1e+ | 0 | a number has no digits in its exponent",
                "1-1 | 0 | a number has an unexpected character",
                "1.2.3 | 0 | a number has an unexpected character",
                "0x1 | 1 | text follows the end of the document",
                "1e10000 | 0 | a number's exponent is larger than 9999",
                "1e-10000 | 0 | a number's exponent is larger than 9999",
                "1e99999999999999999999 | 0 | a number's exponent is larger than 9999",
                "\" | 1 | a string is not closed",
                "\"\\x\" | 2 | a string has an unknown escape",
                "\"\\ | 2 | a string has an unknown escape",
                "\"\\u12g4\" | 5 | a \\u escape must have four hexadecimal digits",
                "\"\\ud800\" | 1 | a string has a lone surrogate",
                "\"\\ud800\\n\" | 1 | a string has a lone surrogate",
                "\"\\ud800\\ud800\" | 1 | a string has a lone surrogate",
                "\"\\udc00\" | 1 | a string has a lone surrogate",
                "'a' | 0 | a value is missing or malformed",
                "[1]//x | 3 | text follows the end of the document",
            })
    void refuses(String text, int offset, String reason) {
        assertThatExceptionOfType(JsonException.class)
                .isThrownBy(() -> parse(text))
                .satisfies(e -> assertThat(e.reason()).isEqualTo(reason))
                .satisfies(e -> assertThat(e.offset()).isEqualTo(offset))
                .withMessage("Not a JSON document: " + reason + ", at byte " + offset);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\u0000", "\n", "\t", "\u001f"})
    void refusesControlCharactersInStrings(String control) {
        assertThat(reasonFor("\"a" + control + "\"")).isEqualTo("a string has a control character that is not escaped");
    }

    /** A bare continuation byte, an overlong slash, an encoded surrogate, a value above U+10FFFF, a truncated sequence. */
    @ParameterizedTest
    @ValueSource(strings = {"80", "c0af", "eda080", "f4908080", "e282"})
    void refusesWhatIsNotUtf8(String hex) {
        String malformed = new String(HexFormat.of().parseHex(hex), ISO_8859_1);
        byte[] bytes = ("[\"" + malformed + "\"]").getBytes(ISO_8859_1);

        assertThatExceptionOfType(JsonException.class)
                .isThrownBy(() -> Json.parse(bytes))
                .withMessage("Not a JSON document: it is not UTF-8, at byte 2");
    }

    @Test
    void refusesAByteOrderMark() {
        assertThat(reasonFor("\ufeff1")).isEqualTo("it starts with a byte order mark");
        assertThat(parse("\"\ufeff\"")).isEqualTo(new JsonString("\ufeff"));
    }

    @Test
    void boundsDepth() {
        assertThat(parse("[".repeat(128) + "]".repeat(128))).isInstanceOf(JsonArray.class);
        assertThat(reasonFor("[".repeat(129) + "]".repeat(129))).isEqualTo("it is nested deeper than 128");
        assertThat(reasonFor("{\"a\":".repeat(1_000_000))).isEqualTo("it is nested deeper than 128");
        JsonLimits deep = new JsonLimits(Json.MAX_DEPTH, 10_000, 10_000);
        Json deepest = Json.parse(("[".repeat(1_000) + "]".repeat(1_000)).getBytes(UTF_8), deep);
        assertThat(deepest.canonical()).hasSize(2_000);
        Json tooDeep = new JsonArray(List.of(deepest));
        assertThatIllegalArgumentException()
                .isThrownBy(tooDeep::canonical)
                .withMessage("A document must not be nested deeper than 1000");
    }

    @Test
    void boundsBytesAndValues() {
        JsonLimits small = new JsonLimits(2, 10, 3);

        assertThat(Json.parse("[1,2]     ".getBytes(UTF_8), small)).isInstanceOf(JsonArray.class);
        assertThatExceptionOfType(JsonException.class)
                .isThrownBy(() -> Json.parse("[1,2]      ".getBytes(UTF_8), small))
                .satisfies(e -> assertThat(e.reason()).isEqualTo("it has more than 10 bytes"));
        assertThatExceptionOfType(JsonException.class)
                .isThrownBy(() -> Json.parse("[1,2,3]".getBytes(UTF_8), small))
                .satisfies(e -> assertThat(e.reason()).isEqualTo("it has more than 3 values"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new JsonLimits(1_001, 1, 1))
                .withMessage("maxDepth must be 1 to 1000, but is 1001");
    }

    @Test
    void boundsNumbers() {
        assertThat(parse("9".repeat(1_000))).isInstanceOf(JsonNumber.class);
        assertThat(parse("1" + "0".repeat(1_500))).isEqualTo(new JsonNumber("1e1500"));
        assertThat(reasonFor("9".repeat(1_001))).isEqualTo("a number has more than 1000 significant digits");
        assertThat(reasonFor("0." + "0".repeat(2_000) + "1")).isEqualTo("a number has more than 2000 characters");
    }

    @Test
    void neverShowsContent() {
        assertThat(parse("{\"secret\":[\"secret\",1234]}")).hasToString("object of 1");
        assertThat(new JsonString("secret")).hasToString("string of 6 characters");
        assertThat(new JsonNumber("1234")).hasToString("number");
        assertThat(new JsonArray(List.of(new JsonString("secret")))).hasToString("array of 1");
        assertThatExceptionOfType(JsonException.class)
                .isThrownBy(() -> parse("{\"secret\":secret}"))
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("secret"));
    }

    @Test
    void valuesAreCheckedWhenTheyAreMade() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new JsonString("a\ud800"))
                .withMessage("A JSON string must be valid Unicode, but has a lone surrogate at index 1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new JsonObject(Map.of("\udc00", JsonNull.NULL)))
                .withMessage("A member's name must be valid Unicode, but has a lone surrogate at index 0");
    }

    private static Json parse(String text) {
        return Json.parse(text.getBytes(UTF_8));
    }

    private static String reasonFor(String text) {
        try {
            parse(text);
            return "none";
        } catch (JsonException e) {
            return e.reason();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload.redact;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.semel.payload.json.Json;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AllowListTest {
    @Test
    void keepsWhatIsSafeToShowACustomer() {
        String safe =
                "{\"ok\":true,\"stopReason\":\"in_progress\",\"createdActionRequestIds\":[1,2],\"traceId\":\"t-1\","
                        + "\"needsHuman\":false,\"cached\":true,\"data\":{\"section\":\"hero\",\"scores\":[1,2.5],\"done\":null}}";

        assertThat(kept(AllowList.CUSTOMER_SAFE, safe)).isEqualTo(safe);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"_internal\":1}",
                "{\"debug\":true}",
                "{\"prompt\":\"p\"}",
                "{\"error\":{\"message\":\"m\",\"stack\":\"s\"}}",
                "{\"stack\":\"s\"}",
                "{\"provider\":\"p\"}",
                "{\"model\":\"m\"}",
                "{\"requestId\":\"r\"}",
                "{\"userText\":\"u\"}",
                "{\"systemPrompt\":\"s\"}",
                "{\"unknown\":1}",
                "{\"OK\":true}",
            })
    void leavesOutAllOtherMembers(String text) {
        assertThat(kept(AllowList.CUSTOMER_SAFE, text)).isEqualTo("{}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ok | \"true\"",
                "ok | 1",
                "stopReason | \"two words\"",
                "stopReason | \"\"",
                "stopReason | 7",
                "createdActionRequestIds | [1,\"2\"]",
                "createdActionRequestIds | 1",
                "traceId | {\"a\":1}",
                "needsHuman | null",
                "data | [{\"a\":1}]",
                "data | [[1]]",
            })
    void leavesOutWhatHasAnotherType(String name, String value) {
        assertThat(kept(AllowList.CUSTOMER_SAFE, "{\"%s\":%s}".formatted(name, value)))
                .isEqualTo("{}");
    }

    @Test
    void leavesOutWhatIsTooLong() {
        AllowList list = AllowList.EMPTY
                .allow("text", new FieldType.Text(3))
                .allow("word", new FieldType.Word(3))
                .allow("ids", new FieldType.Numbers(2))
                .allow("data", new FieldType.Primitives(2, 3))
                .allow("kind", new FieldType.OneOf(Set.of("a", "b")))
                .allow("n", new FieldType.Numeric());

        String fits = "{\"text\":\"a c\",\"word\":\"abc\",\"ids\":[1,2],\"data\":[1,\"abc\"],\"kind\":\"b\",\"n\":1e2}";
        assertThat(kept(list, fits)).isEqualTo(fits);
        assertThat(
                        kept(
                                list,
                                "{\"text\":\"abcd\",\"word\":\"abcd\",\"ids\":[1,2,3],\"data\":[1,2,3],\"kind\":\"c\",\"n\":\"1\"}"))
                .isEqualTo("{}");
        assertThat(kept(list, "{\"data\":{\"a\":\"abcd\",\"b\":1,\"long\":2,\"c\":3,\"d\":4}}"))
                .isEqualTo("{\"data\":{\"b\":1,\"c\":3}}");
        assertThat(kept(list, "{\"data\":\"abcd\"}")).isEqualTo("{}");
    }

    @Test
    void leavesOutNestedValuesInData() {
        assertThat(kept(AllowList.CUSTOMER_SAFE, "{\"data\":{\"a\":{\"b\":1},\"c\":[1,[2]],\"d\":1}}"))
                .isEqualTo("{\"data\":{\"d\":1}}");
    }

    @Test
    void theBlockListWins() {
        AllowList list = AllowList.CUSTOMER_SAFE
                .allow("debug", new FieldType.Bool())
                .allow("cost", new FieldType.Numeric())
                .block("cost", "data.owner");

        assertThat(kept(list, "{\"debug\":true,\"cost\":1,\"ok\":true}")).isEqualTo("{\"ok\":true}");
        assertThat(kept(list, "{\"data\":{\"Request_Id\":1,\"model\":\"m\",\"owner\":\"o\",\"x\":1}}"))
                .isEqualTo("{\"data\":{\"x\":1}}");
        assertThat(kept(AllowList.CUSTOMER_SAFE, "{\"data\":{\"owner\":\"o\"}}"))
                .isEqualTo("{\"data\":{\"owner\":\"o\"}}");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AllowList.EMPTY.block("a..b"))
                .withMessage("A blocked member must have a name, such as stack or error.message, but is: a..b");
    }

    @Test
    void blocksByPathAlsoThroughArrays() {
        Json json = json(
                "{\"error\":[{\"message\":\"m\",\"code\":1}],\"message\":\"kept\",\"other\":{\"message\":\"kept\"},"
                        + "\"x\":{\"error\":{\"message\":1}}}");

        assertThat(new String(BlockList.of("error.message").leftOutOf(json).utf8(), UTF_8))
                .isEqualTo(
                        "{\"error\":[{\"code\":1}],\"message\":\"kept\",\"other\":{\"message\":\"kept\"},\"x\":{\"error\":{}}}");
    }

    @Test
    void redactsWhatItKeeps() {
        assertThat(kept(
                        AllowList.CUSTOMER_SAFE,
                        "{\"traceId\":\"+41791234567\",\"data\":{\"token\":\"t\",\"phone\":\"0791234567\"}}"))
                .isEqualTo(
                        "{\"traceId\":\"+********567\",\"data\":{\"token\":\"[REDACTED]\",\"phone\":\"*******567\"}}");
        AllowList other = AllowList.CUSTOMER_SAFE.redactedBy(new Redaction(SensitiveNames.DEFAULT.and("x")));
        assertThat(kept(other, "{\"data\":{\"x\":1}}")).isEqualTo("{\"data\":{\"x\":\"[REDACTED]\"}}");
    }

    @Test
    void keepsNothingOfAResultWithoutFields() {
        assertThat(AllowList.CUSTOMER_SAFE.sanitised(json("\"raw text\""))).isEmpty();
        assertThat(AllowList.CUSTOMER_SAFE.sanitised(json("[{\"ok\":true}]"))).isEmpty();
        assertThat(AllowList.CUSTOMER_SAFE.sanitisedText("raw text")).isEmpty();
    }

    @Test
    void boundsAreChecked() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new FieldType.Text(0))
                .withMessage("maxLength must be 1 to 1000000, but is 0");
    }

    private static String kept(AllowList list, String text) {
        return new String(list.sanitised(json(text)).orElseThrow().utf8(), UTF_8);
    }

    private static Json json(String text) {
        return Json.parse(text.getBytes(UTF_8));
    }
}

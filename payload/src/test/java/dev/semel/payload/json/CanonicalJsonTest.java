// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.erdtman.jcs.JsonCanonicalizer;
import org.junit.jupiter.api.Test;

class CanonicalJsonTest {
    /** RFC 8785, section 3.2.2 and 3.2.3. The first number is the one that RFC 8785 rounds and Semel does not. */
    @Test
    void writesTheExampleOfRfc8785() {
        String text = """
                {
                  "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
                  "string": "\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\"\\/",
                  "literals": [null, true, false]
                }""";

        assertThat(canonical(text))
                .isEqualTo("{\"literals\":[null,true,false],"
                        + "\"numbers\":[333333333.33333329,1e+30,4.5,0.002,1e-27],"
                        + "\"string\":\"\u20ac$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"}");
    }

    /** RFC 8785, section 3.2.3: sorted by UTF-16 code units, so the emoji precedes the Hebrew presentation form. */
    @Test
    void sortsNamesAsRfc8785Does() {
        String text = """
                {
                  "\\u20ac": "Euro Sign",
                  "\\r": "Carriage Return",
                  "\\ufb33": "Hebrew Letter Dalet With Dagesh",
                  "1": "One",
                  "\\ud83d\\ude00": "Emoji: Grinning Face",
                  "\\u0080": "Control",
                  "\\u00f6": "Latin Small Letter O With Diaeresis"
                }""";

        assertThat(canonical(text))
                .isEqualTo("{\"\\r\":\"Carriage Return\",\"1\":\"One\",\"\u0080\":\"Control\","
                        + "\"\u00f6\":\"Latin Small Letter O With Diaeresis\",\"\u20ac\":\"Euro Sign\","
                        + "\"\ud83d\ude00\":\"Emoji: Grinning Face\",\"\ufb33\":\"Hebrew Letter Dalet With Dagesh\"}");
    }

    /** The other samples that the RFC's authors publish: arrays, french, structures, unicode, weird. */
    @Test
    void writesThePublishedSamples() {
        assertThat(canonical("[\n  56,\n  {\n    \"d\": true,\n    \"10\": null,\n    \"1\": [ ]\n  }\n]"))
                .isEqualTo("[56,{\"1\":[],\"10\":null,\"d\":true}]");
        assertThat(canonical("""
                {
                  "peach": "This sorting order",
                  "p\u00e9ch\u00e9": "is wrong according to French",
                  "p\u00eache": "but canonicalization MUST",
                  "sin":   "ingnore locale"
                }
                """))
                .isEqualTo("{\"peach\":\"This sorting order\",\"p\u00e9ch\u00e9\":\"is wrong according to French\","
                        + "\"p\u00eache\":\"but canonicalization MUST\",\"sin\":\"ingnore locale\"}");
        assertThat(canonical("""
                {
                  "1": {"f": {"f": "hi","F": 5} ,"\\n": 56.0},
                  "10": { },
                  "": "empty",
                  "a": { },
                  "111": [ { } ],
                  "A": { }
                }"""))
                .isEqualTo("{\"\":\"empty\",\"1\":{\"\\n\":56,\"f\":{\"F\":5,\"f\":\"hi\"}},\"10\":{},\"111\":[{}],"
                        + "\"A\":{},\"a\":{}}");
        assertThat(canonical("{\n  \"Unnormalized Unicode\":\"\\u1e0d\\u0307\"\n}\n"))
                .isEqualTo("{\"Unnormalized Unicode\":\"\u1e0d\u0307\"}");
        assertThat(canonical("""
                {
                  "\\u20ac": "Euro Sign",
                  "1": "One",
                  "\\u0080": "Control\\u007f",
                  "\\ud83d\\ude02": "Smiley",
                  "\\u00f6": "Latin Small Letter O With Diaeresis",
                  "\\ufb33": "Hebrew Letter Dalet With Dagesh",
                  "</script>": "Browser Challenge"
                }
                """))
                .isEqualTo("{\"1\":\"One\",\"</script>\":\"Browser Challenge\",\"\u0080\":\"Control\u007f\","
                        + "\"\u00f6\":\"Latin Small Letter O With Diaeresis\",\"\u20ac\":\"Euro Sign\","
                        + "\"\ud83d\ude02\":\"Smiley\",\"\ufb33\":\"Hebrew Letter Dalet With Dagesh\"}");
    }

    /** Row 26 of docs/failures.md. */
    @Test
    void row26_unicodeIsNeverNormalized() {
        assertThat(canonical("\"\u00e9\"")).isNotEqualTo(canonical("\"e\u0301\""));
        assertThat(canonical("\"\u212b\"")).isEqualTo("\"\u212b\"");
    }

    @Test
    void isTheSameForEqualDocumentsOnly() {
        long seed = 26;
        Random random = new Random(seed);
        for (int i = 0; i < 3_000; i++) {
            Json json = RandomJson.document(random);
            Json other = RandomJson.document(random);
            byte[] canonical = json.canonical();

            assertThat(Json.parse(canonical))
                    .as("seed %d, document %d", seed, i)
                    .isEqualTo(json);
            assertThat(CanonicalJson.of(canonical))
                    .as("seed %d, document %d", seed, i)
                    .isEqualTo(canonical);
            assertThat(Json.parse(json.utf8()).canonical())
                    .as("seed %d, document %d", seed, i)
                    .isEqualTo(canonical);
            assertThat(shuffled(json, random).canonical())
                    .as("seed %d, document %d", seed, i)
                    .isEqualTo(canonical);
            assertThat(Arrays.equals(other.canonical(), canonical))
                    .as("seed %d, document %d", seed, i)
                    .isEqualTo(other.equals(json));
        }
    }

    /** Compares with another implementation, for numbers that a double represents exactly. That library rounds others. */
    @Test
    void agreesWithAnotherImplementation() throws IOException {
        long seed = 11;
        Random random = new Random(seed);
        for (int i = 0; i < 3_000; i++) {
            Json json = new JsonArray(List.of(asDoubles(RandomJson.document(random)), anyDouble(random)));

            assertThat(new String(json.canonical(), UTF_8))
                    .as("seed %d, document %d", seed, i)
                    .isEqualTo(new JsonCanonicalizer(json.utf8()).getEncodedString());
        }
    }

    private static String canonical(String text) {
        return new String(CanonicalJson.of(text.getBytes(UTF_8)), UTF_8);
    }

    private static Json anyDouble(Random random) {
        double any = Double.longBitsToDouble(random.nextLong());
        return Double.isFinite(any) ? shortest(any) : JsonNumber.of(random.nextInt());
    }

    /**
     * The shortest digits that identify the double, as in ECMAScript. Double.toString of Java 17 sometimes has one digit
     * more, so every precision is tried.
     */
    private static Json shortest(double any) {
        BigDecimal exact = new BigDecimal(any);
        for (int digits = 1; digits < 17; digits++) {
            BigDecimal rounded = exact.round(new MathContext(digits, RoundingMode.HALF_EVEN));
            if (rounded.doubleValue() == any) {
                return new JsonNumber(rounded.toString());
            }
        }
        return new JsonNumber(
                exact.round(new MathContext(17, RoundingMode.HALF_EVEN)).toString());
    }

    private static Json asDoubles(Json json) {
        if (json instanceof JsonNumber number) {
            return shortest(number.value().doubleValue());
        }
        if (json instanceof JsonArray array) {
            return new JsonArray(
                    array.elements().stream().map(CanonicalJsonTest::asDoubles).toList());
        }
        if (json instanceof JsonObject object) {
            Map<String, Json> members = new LinkedHashMap<>();
            object.members().forEach((name, value) -> members.put(name, asDoubles(value)));
            return new JsonObject(members);
        }
        return json;
    }

    private static Json shuffled(Json json, Random random) {
        if (json instanceof JsonObject object) {
            List<String> names = new ArrayList<>(object.members().keySet());
            Collections.shuffle(names, random);
            Map<String, Json> members = new LinkedHashMap<>();
            names.forEach(name -> members.put(name, shuffled(object.member(name).orElseThrow(), random)));
            return new JsonObject(members);
        }
        if (json instanceof JsonArray array) {
            return new JsonArray(array.elements().stream()
                    .map(element -> shuffled(element, random))
                    .toList());
        }
        return json;
    }
}

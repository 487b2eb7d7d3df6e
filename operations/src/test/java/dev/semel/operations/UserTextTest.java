// SPDX-License-Identifier: Apache-2.0
package dev.semel.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The expected values were printed by Node 20: {@code sha256(text.trim().replace(/\s+/g, " "))}. */
class UserTextTest {
    private static final String WHITE_SPACE_OF_NODE =
            "9 a b c d 20 a0 1680 2000 2001 2002 2003 2004 2005 2006 2007 2008 2009 200a 2028 2029 202f 205f 3000 feff";

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "``,e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                "`   `,e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                "hello,2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
                "`  Make it   pop!\n\n`,7b4a7c1b25683de83f63f867181aa3c61632881b3e9eeeb0219800e33cd777a7",
                "Make it pop!,7b4a7c1b25683de83f63f867181aa3c61632881b3e9eeeb0219800e33cd777a7",
                "a\u00a0\u3000b,c8687a08aa5d6ed2044328fa6a697ab8e96dc34291e8c2034ae8c38e6fcc6d65",
                "a\u0085b,75e7cf7e9bf896d878d3b49a7225fc0ef80d9b03356eb6d783bb276e67afe8fa",
                "a\u200bb,8df62aef5f92e4c30c0c938497f55f60078c361a476e7e0448485194ad79f884",
                "\ufeffa\ufeff,ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb",
                "a\u180eb,bf2f5dd9f20acb42d8cd5a4658d0daf5a0d328a395c0e5669ca433586c4be0f4",
                "a\u001cb,3b03cf1af522d0d5542860e2cfaeb87d480f43b2f7dd842ed03317c651ea1ed9",
                "\ud83d\ude00 ok,85a2fa63218ae47b86c7239bb037d4a92b423a49775441d4e31e315ff53a9ca2",
                "caf\u00e9,850f7dc43910ff890f8879c0ed26fe697c93a067ad93a7d50f466a7028a9bf4e",
                "cafe\u0301,81ef060bcd98adc7824eb5c1ada83c32491b16018e11e79f00ab9d09e04b015a",
                "\u2028\u2029line\u2028\u2029two,fd5e386761dd2ffb740d925d62107d7d96dfee5af824c180a88f97be376d6f02",
            })
    void hashesAsJavaScriptDoes(String text, String hash) {
        assertThat(UserText.hash(text)).isEqualTo(hash);
        assertThat(Operations.hashUserText(text)).isEqualTo(hash);
    }

    /** Not in a table, because an annotation cannot contain a lone surrogate. */
    @Test
    void aLoneSurrogateBecomesTheReplacementCharacter() {
        String expected = "0b37743370331e33808c0dd0167563798a3c324504cf0055d2b0ac81578d2c58";
        assertThat(UserText.hash("x" + (char) 0xd800 + "y")).isEqualTo(expected);
        assertThat(UserText.hash("x" + (char) 0xdc00 + "y")).isEqualTo(expected);
        assertThat(UserText.hash("x\ufffdy")).isEqualTo(expected);
        assertThat(UserText.hash("x?y")).isNotEqualTo(expected);
        assertThat(UserText.hash("a" + (char) 0xd83d + " b"))
                .isEqualTo("cd23eebcb0bcfc70fcdcf9a3de52a6f14ac19f0c59200aed34824b3d942aead5");
    }

    @Test
    void whiteSpaceIsTheSameAsInJavaScript() {
        Set<String> ours = new LinkedHashSet<>();
        for (int c = 0; c < 0x10000; c++) {
            if (UserText.isWhiteSpace((char) c)) {
                ours.add(Integer.toHexString(c));
            }
        }

        assertThat(ours).containsExactly(WHITE_SPACE_OF_NODE.split(" ", -1));
    }

    /** One text with every UTF-16 unit, each followed by an x. */
    @Test
    void everyCharacterHashesAsInJavaScript() {
        StringBuilder all = new StringBuilder();
        for (int c = 0; c < 0x10000; c++) {
            all.append((char) c).append('x');
        }

        assertThat(UserText.hash(all.toString()))
                .isEqualTo("022de7186967a8714bb2be5ca1d6673da81c380a7c014c4466ee39fe10c20f9e");
    }

    @Test
    void allKindsOfWhiteSpaceAreEqual() {
        Stream<String> white =
                Stream.of(WHITE_SPACE_OF_NODE.split(" ", -1)).map(hex -> Character.toString(Integer.parseInt(hex, 16)));

        assertThat(white)
                .allSatisfy(c -> assertThat(UserText.normalized(c + c + "a" + c + " " + c + "b" + c))
                        .isEqualTo("a b"));
    }

    @Test
    void theInputsContainOnlyTheHash() {
        JsonObject inputs = UserText.into(new JsonObject(Map.of()), " my  secret idea ");

        assertThat(new String(inputs.utf8(), StandardCharsets.UTF_8))
                .isEqualTo("{\"userTextHash\":\"" + UserText.hash("my secret idea") + "\"}")
                .doesNotContain("secret idea");
        assertThat(inputs).isEqualTo(Inputs.none().userText("my secret\tidea").json());
    }

    @Test
    void textAndHashTogetherAreRefused() {
        JsonObject inputs = (JsonObject) Json.parse("{\"userTextHash\":\"00\"}".getBytes(StandardCharsets.UTF_8));

        assertThatThrownBy(() -> UserText.into(inputs, "text"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("userTextHash");
    }
}

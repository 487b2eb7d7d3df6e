// SPDX-License-Identifier: Apache-2.0
package dev.semel.content.safe;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.content.json.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedactionTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "password",
                "Password",
                "PASS_WORD",
                "db-password",
                "userPasswd",
                "secret",
                "client_secret",
                "token",
                "accessToken",
                "X-Auth-Token",
                "api_key",
                "stripe-api-key",
                "Authorization",
                "proxy_authorization",
                "Set-Cookie",
                "privateKey",
                "aws_secret_access_key",
                "pin",
                "cvv",
                "cardNumber",
                "iban",
                "ssn",
                "session_id",
                "otp",
                "signature"
            })
    void knowsSensitiveNames(String name) {
        assertThat(SensitiveNames.DEFAULT.isSensitive(name)).isTrue();
        assertThat(redacted("{\"%s\":\"v\"}".formatted(name))).isEqualTo("{\"%s\":\"[REDACTED]\"}".formatted(name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"id", "name", "total_tokens", "tokenized", "pinned", "panel", "secretary", "amount", ""})
    void knowsHarmlessNames(String name) {
        assertThat(SensitiveNames.DEFAULT.isSensitive(name)).isFalse();
        assertThat(redacted("{\"%s\":\"v\"}".formatted(name))).isEqualTo("{\"%s\":\"v\"}".formatted(name));
    }

    @Test
    void takesNamesOfAnApplicationsOwn() {
        Redaction redaction = new Redaction(SensitiveNames.DEFAULT.and("patient_no"));

        assertThat(new String(
                        redaction
                                .redacted(json("{\"PatientNo\":\"7\",\"token\":\"t\"}"))
                                .utf8(),
                        UTF_8))
                .isEqualTo("{\"PatientNo\":\"[REDACTED]\",\"token\":\"[REDACTED]\"}");
    }

    @Test
    void keepsTheStructureOfWhatIsSensitive() {
        assertThat(
                        redacted(
                                "{\"credentials\":{\"user\":\"u\",\"n\":[1,\"x\",{\"y\":null,\"z\":true}]},\"cvv\":123,\"x\":1}"))
                .isEqualTo("{\"credentials\":{\"user\":\"[REDACTED]\",\"n\":[\"[REDACTED]\",\"[REDACTED]\","
                        + "{\"y\":null,\"z\":true}]},\"cvv\":\"[REDACTED]\",\"x\":1}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "phone | 0791234567 | *******567",
                "customerPhone | 0791234567 | *******567",
                "PHONE_NUMBER | 079 123 45 67 | *** *** *5 67",
                "msisdn | 41791234567 | ********567",
                "wa_id | 16505551234 | ********234",
                "mobile-number | 12345 | ***45",
                "note | call +41791234567 | call +********567",
                "note | call 0791234567 | call 0791234567",
            })
    void masksPhones(String name, String value, String masked) {
        assertThat(redacted("{\"%s\":\"%s\"}".formatted(name, value)))
                .isEqualTo("{\"%s\":\"%s\"}".formatted(name, masked));
        assertThat(redacted("[{\"%s\":[\"%s\"]}]".formatted(name, value)))
                .isEqualTo("[{\"%s\":[\"%s\"]}]".formatted(name, masked));
    }

    @Test
    void masksThePartsOfAPhone() {
        assertThat(redacted("{\"phone\":{\"area\":\"079\",\"rest\":[\"1234567\"],\"verified\":true}}"))
                .isEqualTo("{\"phone\":{\"area\":\"***\",\"rest\":[\"*****67\"],\"verified\":true}}");
    }

    @Test
    void neverTouchesNumbersThatAreNotSensitive() {
        String text = "{\"phone\":41791234567,\"n\":[1.0,-0,1e5,41791234567],\"mobile\":{\"country\":41}}";

        assertThat(redacted(text)).isEqualTo(text);
    }

    @Test
    void masksNamesWithoutLosingMembers() {
        assertThat(redacted("{\"+41791234567\":1,\"+41781234567\":2,\"+41771234567\":3,\"a\":4}"))
                .isEqualTo("{\"+********567\":1,\"+********567#1\":2,\"+********567#2\":3,\"a\":4}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "password=hunter2&user=bob | password=[REDACTED]&user=bob",
                "user=bob; api_key = k1, x=1 | user=bob; api_key = [REDACTED], x=1",
                "Authorization: Bearer abc def | Authorization: [REDACTED]",
                "`a\ntoken: x y\nb` | `a\ntoken: [REDACTED]\nb`",
                "\"secret\": \"x\" | \"secret\": [REDACTED]",
                "'token'='x' y | 'token'=[REDACTED] y",
                "call +41791234567 about the token | call +********567 about the token",
                "token= | token=",
                "a=b: c | a=b: c",
            })
    void masksPlainText(String text, String masked) {
        assertThat(Redaction.DEFAULT.sanitisedText(text)).contains(masked);
    }

    private static String redacted(String text) {
        return new String(Redaction.DEFAULT.redacted(json(text)).utf8(), UTF_8);
    }

    private static Json json(String text) {
        return Json.parse(text.getBytes(UTF_8));
    }
}

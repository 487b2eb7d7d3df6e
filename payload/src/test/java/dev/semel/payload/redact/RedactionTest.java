// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload.redact;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.payload.json.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedactionTest {
    @ParameterizedTest
    @ValueSource(strings = {"0791234567\\n", "\\t0791234567", "\\r\\n079 123 45 67 "})
    void aNumberSurroundedByLineEndsOrTabsIsMasked(String number) {
        assertThat(redacted("{\"from\":\"%s\"}".formatted(number))).doesNotContain("123", "7912");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"phone=%2B41791234567&x=1", "from=%2b41791234567", "phone=\t0791234567", "phone='\"0791234567"})
    void aNumberInTextIsMaskedAfterCharactersThatAreNoDigits(String text) {
        assertThat(Redaction.DEFAULT.sanitisedText(text).orElseThrow()).doesNotContain("1234");
    }

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
    void acceptsAdditionalNames() {
        Redaction redaction = new Redaction(SensitiveNames.DEFAULT.and("patient_no"));

        assertThat(new String(
                        redaction
                                .redacted(json("{\"PatientNo\":\"7\",\"token\":\"t\"}"))
                                .utf8(),
                        UTF_8))
                .isEqualTo("{\"PatientNo\":\"[REDACTED]\",\"token\":\"[REDACTED]\"}");
    }

    @Test
    void keepsTheStructureOfSensitiveMembers() {
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

    @ParameterizedTest
    @ValueSource(
            strings = {
                "phone",
                "customerPhone",
                "PHONE_NUMBER",
                "msisdn",
                "tel",
                "wa_id",
                "waId",
                "mobile-number",
                "fax"
            })
    void masksPhonesThatAreNumbers(String name) {
        assertThat(redacted("{\"%s\":41791234567}".formatted(name)))
                .isEqualTo("{\"%s\":\"********567\"}".formatted(name));
        assertThat(redacted("{\"%s\":[4.1791234567e10,{\"n\":41791234567.0}]}".formatted(name)))
                .isEqualTo("{\"%s\":[\"********567\",{\"n\":\"********567\"}]}".formatted(name));
    }

    @Test
    void keepsOtherNumbers() {
        String text = "{\"n\":[1.0,-0,1e5,41791234567],\"phone\":{\"verified\":true,\"since\":null}}";

        assertThat(redacted(text)).isEqualTo(text);
    }

    /** These members often hold other values: only values that look like phone numbers are masked. */
    @ParameterizedTest
    @ValueSource(
            strings = {"from", "From", "to", "recipient_id", "recipientId", "partyId", "party-id", "caller", "callee"})
    void masksWhatLooksLikeAPhoneInMembersThatMayHoldOne(String name) {
        assertThat(redacted("{\"%s\":\"16505551234\"}".formatted(name)))
                .isEqualTo("{\"%s\":\"********234\"}".formatted(name));
        assertThat(redacted("{\"%s\":16505551234}".formatted(name)))
                .isEqualTo("{\"%s\":\"********234\"}".formatted(name));
        assertThat(redacted("{\"%s\":[\"+1234567\",{\"number\":\"250 788 123 456\"}]}".formatted(name)))
                .isEqualTo("{\"%s\":[\"+*****67\",{\"number\":\"*** *** **3 456\"}]}".formatted(name));
        String other =
                "{\"%s\":[\"2026-11-16\",\"ana@example.com\",\"123456\",\"1234567890123456\",123456,1.5,12345678.5,true,null]}"
                        .formatted(name);
        assertThat(redacted(other)).isEqualTo(other);
    }

    @Test
    void masksPhonesInMemberNames() {
        assertThat(redacted("{\"phones\":{\"16505551234\":\"home\"},\"to\":{\"16505551234\":true},\"16505551234\":1}"))
                .isEqualTo("{\"phones\":{\"********234\":\"****\"},\"to\":{\"********234\":true},\"16505551234\":1}");
    }

    @Test
    void masksWhatWhatsAppAndMomoSend() {
        assertThat(redacted(
                        "{\"messages\":[{\"from\":\"16505551234\",\"id\":\"wamid.1\",\"timestamp\":\"1700000000\"}],"
                                + "\"statuses\":[{\"recipient_id\":\"16505551234\",\"status\":\"read\"}],"
                                + "\"contacts\":[{\"wa_id\":16505551234}]}"))
                .isEqualTo("{\"messages\":[{\"from\":\"********234\",\"id\":\"wamid.1\",\"timestamp\":\"1700000000\"}],"
                        + "\"statuses\":[{\"recipient_id\":\"********234\",\"status\":\"read\"}],"
                        + "\"contacts\":[{\"wa_id\":\"********234\"}]}");
        assertThat(redacted("{\"payer\":{\"partyIdType\":\"MSISDN\",\"partyId\":250788123456},\"amount\":\"5000000\"}"))
                .isEqualTo(
                        "{\"payer\":{\"partyIdType\":\"MSISDN\",\"partyId\":\"********3456\"},\"amount\":\"5000000\"}");
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
                "phone=0791234567&user=bob | phone=*******567&user=bob",
                "msisdn: 250788123456 is busy | msisdn: ********3456 is busy",
                "\"tel\": \"079 123 45 67\" | \"tel\": \"*** *** *5 67\"",
                "from=16505551234&to=2026-11-16 | from=********234&to=2026-11-16",
                "phone: none | phone: none",
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

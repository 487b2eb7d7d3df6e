// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.journal.calls.CallSignature.Check;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CallSignatureTest {
    private static final byte[] BODY = "{\"site_id\":\"site-1\"}".getBytes(StandardCharsets.UTF_8);
    private static final Instant NOW = Instant.ofEpochSecond(1_700_000_000);

    private final CallSignature site = new CallSignature("secret");

    private Check check(String signature, String timestamp) {
        return site.check(signature, timestamp, BODY, NOW, CallSignature.TOLERANCE);
    }

    /** Computed with: printf '1700000000.{"site_id":"site-1"}' | openssl dgst -sha256 -hmac secret */
    @Test
    void theSignatureIsTheHmacOfTimestampAndBody() {
        assertThat(site.sign("1700000000", BODY))
                .isEqualTo("1982761527ce317629aeac0e477efd6937dcf0d11b1fc4db9b7101bd2d95611d");
        assertThat(check(site.sign("1700000000", BODY), "1700000000")).isEqualTo(Check.VALID);
        assertThat(check(site.sign("1700000000", BODY).toUpperCase(Locale.ROOT), "1700000000"))
                .isEqualTo(Check.VALID);
    }

    @ParameterizedTest
    @CsvSource({
        "1699999700, VALID",
        "1699999699, TOO_OLD",
        "1700000300, VALID",
        "1700000301, TOO_NEW",
        "1699999700000, VALID",
        "1699999699999, TOO_OLD",
        "1700000300001, TOO_NEW",
        "0, TOO_OLD",
        "999999999999999, TOO_NEW"
    })
    void timeIsBoundedOnBothSides(String timestamp, Check expected) {
        assertThat(check(site.sign(timestamp, BODY), timestamp)).isEqualTo(expected);
    }

    @Test
    void anotherSecretBodyOrTimestampIsWrong() {
        String signature = site.sign("1700000000", BODY);

        assertThat(check(new CallSignature("other").sign("1700000000", BODY), "1700000000"))
                .isEqualTo(Check.WRONG);
        assertThat(check(signature, "1700000001")).isEqualTo(Check.WRONG);
        assertThat(site.check(signature, "1700000000", new byte[0], NOW, CallSignature.TOLERANCE))
                .isEqualTo(Check.WRONG);
        assertThat(site.check(signature, "1700000000", BODY, NOW.plusSeconds(9_999), Duration.ofSeconds(10_000)))
                .isEqualTo(Check.VALID);
    }

    /** Otherwise an old timestamp would reveal whether a signature is right. */
    @Test
    void aWrongSignatureIsReportedBeforeAnOldTimestamp() {
        assertThat(check(site.sign("1", new byte[0]), "1")).isEqualTo(Check.WRONG);
    }

    @Test
    void missing() {
        assertThat(check(null, "1700000000")).isEqualTo(Check.MISSING);
        assertThat(check("", "1700000000")).isEqualTo(Check.MISSING);
        assertThat(check(site.sign("1700000000", BODY), null)).isEqualTo(Check.MISSING);
    }

    @ParameterizedTest
    @ValueSource(strings = {"abc", "zz", "0x", "sha256="})
    void malformed(String bad) {
        assertThat(check(bad, "1700000000")).isEqualTo(Check.MALFORMED);
        assertThat(check(bad + site.sign("1700000000", BODY).substring(bad.length()) + "0", "1700000000"))
                .isEqualTo(Check.MALFORMED);
        assertThat(check(site.sign("1700000000", BODY), bad)).isEqualTo(Check.MALFORMED);
        assertThat(check(site.sign("1700000000", BODY), "-1700000000")).isEqualTo(Check.MALFORMED);
        assertThat(check(site.sign("1700000000", BODY), "9".repeat(30))).isEqualTo(Check.MALFORMED);
    }

    @Test
    void theHashIgnoresCase() {
        assertThat(CallSignature.hashOf("ABC"))
                .isEqualTo("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
                .isEqualTo(CallSignature.hashOf("abc"));
    }

    @Test
    void anEmptySecretIsRefused() {
        assertThatThrownBy(() -> new CallSignature("")).hasMessageContaining("secret");
    }
}

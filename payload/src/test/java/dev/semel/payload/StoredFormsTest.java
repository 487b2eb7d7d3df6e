// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Digest;
import dev.semel.claim.StoredResult;
import dev.semel.key.Secret;
import dev.semel.key.Secrets;
import dev.semel.payload.redact.AllowList;
import dev.semel.payload.redact.Redaction;
import dev.semel.payload.seal.SealException;
import dev.semel.payload.seal.Sealer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class StoredFormsTest {
    private static final ClaimRef CLAIM = new ClaimRef("acme", new Digest(new byte[32]));
    private static final Sealer SEALER = new Sealer(Secrets.of(Secret.of("0123456789abcdef0123456789abcdef")));

    private final StoredForms forms = new StoredForms(Redaction.DEFAULT, SEALER);

    @Test
    void sanitisedJsonKeepsItsStructure() {
        StoredResult stored =
                write(Keep.SANITISED, "application/json; charset=UTF-8", " {\"id\": 1.0, \"token\": \"t\"} ");

        assertThat(stored.type()).isEqualTo("sanitised:application/json;partial");
        assertThat(forms.read(CLAIM, stored))
                .isEqualTo(new Kept.Sanitised(
                        body("application/json", "{\"id\":1.0,\"token\":\"[REDACTED]\"}"), Kept.Extent.PARTIAL));
    }

    @Test
    void theLargestThatFitsIsSealedAndOneByteMoreIsNot() {
        int most = Sealer.MAX_BYTES - Integer.BYTES - "a/b".length();

        StoredResult fits = forms.write(Keep.SEALED, CLAIM, new Body("a/b", new byte[most]));
        StoredResult tooLarge = forms.write(Keep.SEALED, CLAIM, new Body("a/b", new byte[most + 1]));

        assertThat(fits.isTombstone()).isFalse();
        assertThat(fits.size()).isEqualTo(StoredResult.MAX_BYTES);
        assertThat(tooLarge).isEqualTo(StoredResult.tombstone("the result is too large to be stored"));
    }

    @Test
    void sanitisedByAnAllowList() {
        StoredForms operations = new StoredForms(AllowList.CUSTOMER_SAFE, SEALER);

        assertThat(operations
                        .write(Keep.SANITISED, CLAIM, body("application/json", "{\"ok\":true,\"model\":\"m\"}"))
                        .text())
                .isEqualTo("{\"ok\":true}");
        assertThat(operations.write(Keep.SANITISED, CLAIM, body("application/json", "\"raw\"")))
                .isEqualTo(StoredResult.tombstone("nothing of this result may be stored: it is no JSON object"));
        assertThat(operations.write(Keep.SANITISED, CLAIM, body("text/plain", "raw")))
                .isEqualTo(StoredResult.tombstone("nothing of this result may be stored: it is plain text"));
    }

    @Test
    void sanitisedTextIsMasked() {
        StoredResult stored = write(Keep.SANITISED, "Text/Plain", "call +41791234567");

        assertThat(forms.read(CLAIM, stored))
                .isEqualTo(new Kept.Sanitised(body("text/plain", "call +********567"), Kept.Extent.PARTIAL));
    }

    /** Media type, content, and the extent that the redaction and the allow-list store. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "application/json | {\"ok\":true} | WHOLE | WHOLE",
                "application/json | { \"data\" : {\"n\":1.0}, \"ok\": true } | WHOLE | WHOLE",
                "application/json | {\"ok\":true,\"plan\":1} | WHOLE | PARTIAL",
                "application/json | {\"ok\":\"yes\"} | WHOLE | PARTIAL",
                "application/json | {\"data\":{\"password\":\"p\"}} | PARTIAL | PARTIAL",
                "application/json | {} | WHOLE | WHOLE",
                "application/json | [1,{\"phone\":1}] | PARTIAL |",
                "text/plain | nothing to hide | WHOLE |",
            })
    void saysWhetherAllOfItIsStored(String mediaType, String text, Kept.Extent redacted, Kept.Extent allowed) {
        assertThat(forms.read(CLAIM, write(Keep.SANITISED, mediaType, text)))
                .isInstanceOfSatisfying(
                        Kept.Sanitised.class, kept -> assertThat(kept.extent()).isEqualTo(redacted));
        Kept byAllowList = forms.read(
                CLAIM,
                new StoredForms(AllowList.CUSTOMER_SAFE, SEALER).write(Keep.SANITISED, CLAIM, body(mediaType, text)));
        if (allowed == null) {
            assertThat(byAllowList).isInstanceOf(Kept.Nothing.class);
        } else {
            assertThat(byAllowList)
                    .isInstanceOfSatisfying(
                            Kept.Sanitised.class,
                            kept -> assertThat(kept.extent()).isEqualTo(allowed));
        }
    }

    @Test
    void readsAndMakesTheFormOfEarlierVersions() {
        StoredResult before = new StoredResult("sanitised:application/json", "{}".getBytes(UTF_8));

        assertThat(forms.read(CLAIM, before))
                .isEqualTo(new Kept.Sanitised(body("application/json", "{}"), Kept.Extent.UNKNOWN));
        assertThat(StoredForms.unmarked(before)).isEmpty();
        assertThat(StoredForms.unmarked(write(Keep.SANITISED, "application/json", "{}")))
                .contains(before);
        assertThat(StoredForms.unmarked(write(Keep.SANITISED, "application/json", "{\"token\":1}")))
                .contains(new StoredResult("sanitised:application/json", "{\"token\":\"[REDACTED]\"}".getBytes(UTF_8)));
        assertThat(StoredForms.unmarked(write(Keep.SEALED, "application/json", "{}")))
                .isEmpty();
        assertThat(StoredForms.unmarked(write(Keep.NONE, "application/json", "{}")))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "application/json | {\"token\":secret} | the result is no JSON that could be sanitised: a value is missing or malformed",
                "application/problem+json | {\"a\":1,\"a\":1} | the result is no JSON that could be sanitised: an object has two members of the same name",
                "application/json;charset=utf-16 | {} | only UTF-8 can be stored sanitised: store this result sealed",
                "text/plain | \u00ff | the result is not UTF-8, and is not stored as it is",
                "text/html | secret | only JSON and plain text can be stored sanitised: store results of other types sealed",
                "application/x-www-form-urlencoded | a=b | only JSON and plain text can be stored sanitised: store results of other types sealed",
            })
    void neverStoresARawBodyThatItCannotSanitise(String mediaType, String text, String why) {
        StoredResult stored = forms.write(Keep.SANITISED, CLAIM, new Body(mediaType, text.getBytes(ISO_8859_1)));

        assertThat(stored.isTombstone()).isTrue();
        assertThat(forms.read(CLAIM, stored)).isEqualTo(new Kept.Nothing(why));
    }

    @Test
    void sealedIsExact() {
        Body body = body("application/json; charset=utf-8", " {\"token\": \"t\" } ");
        StoredResult stored = forms.write(Keep.SEALED, CLAIM, body);

        assertThat(stored.type()).isEqualTo("semel/sealed");
        assertThat(stored.text()).doesNotContain("token");
        assertThat(forms.read(CLAIM, stored)).isEqualTo(new Kept.Exact(body));
        assertThatExceptionOfType(SealException.class)
                .isThrownBy(() -> forms.read(new ClaimRef("other", CLAIM.digest()), stored));
    }

    @Test
    void noneStoresATombstone() {
        assertThat(forms.read(CLAIM, write(Keep.NONE, "application/json", "{}")))
                .isEqualTo(new Kept.Nothing("by its settings, nothing is stored of this result"));
    }

    /** Row 30 of docs/failures.md. */
    @ParameterizedTest
    @EnumSource(names = {"SANITISED", "SEALED"})
    void row30_aResultThatIsTooLargeBecomesATombstone(Keep keep) {
        byte[] large = new byte[StoredResult.MAX_BYTES];
        Arrays.fill(large, (byte) '=');
        System.arraycopy("token=x ".getBytes(UTF_8), 0, large, 0, 8);

        StoredResult stored = forms.write(keep, CLAIM, new Body("text/plain", large));

        assertThat(stored).isEqualTo(StoredResult.tombstone("the result is too large to be stored"));
    }

    @Test
    void longMediaTypesAreShortened() {
        StoredResult stored = write(Keep.SANITISED, "application/vnd." + "x".repeat(60) + "+json", "{}");

        assertThat(stored.type()).isEqualTo("sanitised:application/json;whole");
        assertThat(write(Keep.SANITISED, "application/vnd.x+json", "{}").type())
                .isEqualTo("sanitised:application/vnd.x+json;whole");
    }

    /** A type has at most 64 characters, including the extent. */
    @Test
    void aLongMediaTypeIsKeptAndTheExtentIsDropped() {
        String longest = "application/" + "x".repeat(31) + "+json";

        assertThat(write(Keep.SANITISED, longest, "{}").type())
                .hasSize(64)
                .isEqualTo("sanitised:" + longest + ";whole");
        assertThat(write(Keep.SANITISED, "x" + longest, "{}").type()).isEqualTo("sanitised:x" + longest);
        assertThat(write(Keep.SANITISED, longest, "{\"token\":1}").type()).isEqualTo("sanitised:" + longest);
    }

    @Test
    void readsOnlyWhatItWrote() {
        StoredResult other = new StoredResult("text/plain", new byte[0]);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> forms.read(CLAIM, other))
                .withMessage("A result of type text/plain was not written by StoredForms:"
                        + " read it with the codec that wrote it");
    }

    @Test
    void bodiesDoNotShowTheirContent() {
        assertThat(body("text/plain", "secret")).hasToString("Body[6 bytes]");
        assertThat(new Kept.Exact(body("text/plain", "secret"))).hasToString("Exact[body=Body[6 bytes]]");
    }

    private StoredResult write(Keep keep, String mediaType, String text) {
        return forms.write(keep, CLAIM, body(mediaType, text));
    }

    private static Body body(String mediaType, String text) {
        return new Body(mediaType, text.getBytes(UTF_8));
    }
}

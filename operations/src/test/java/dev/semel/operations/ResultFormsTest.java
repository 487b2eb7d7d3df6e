// SPDX-License-Identifier: Apache-2.0
package dev.semel.operations;

import static dev.semel.operations.TestJson.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.claim.AliasedKey;
import dev.semel.claim.ClaimKey;
import dev.semel.claim.StoredResult;
import dev.semel.key.ClaimMode;
import dev.semel.key.KeyDigests;
import dev.semel.key.Secrets;
import dev.semel.payload.Body;
import dev.semel.payload.Keep;
import dev.semel.payload.Kept;
import dev.semel.payload.StoredForms;
import dev.semel.payload.json.Json;
import dev.semel.payload.redact.Redaction;
import dev.semel.payload.seal.SealException;
import dev.semel.payload.seal.Sealer;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResultFormsTest {
    private static final Secrets BOTH = Secrets.of(TestProcess.FRESH, TestProcess.OLD);
    private static final AliasedKey KEY = new ClaimKey("acme", "copy", "k").alsoKnownAs("k2");
    private static final Json RESULT = json("{'a':1}");

    private final ResultForms forms = new ResultForms(BOTH);

    @Test
    void anEncryptedResultIsReadBack() {
        assertThat(forms.read(KEY, forms.write(OperationRules.STEP, KEY, RESULT)))
                .isEqualTo(new Kept.Exact(new Body("application/json", RESULT.utf8())));
    }

    /** A server settles with the record's own reference, which may be any of the key's references. */
    @Test
    void aResultEncryptedForAnyDigestOfItsKeyIsDecrypted() {
        StoredForms elsewhere = new StoredForms(Redaction.DEFAULT, new Sealer(BOTH));
        for (ClaimKey name : List.of(KEY.key(), KEY.aliases().get(0))) {
            new KeyDigests(BOTH)
                    .allOf(ClaimMode.LEASED, name)
                    .forEach(ref -> assertThat(forms.read(
                                    KEY,
                                    elsewhere.write(
                                            Keep.SEALED, ref.ref(), new Body("application/json", RESULT.utf8()))))
                            .isEqualTo(new Kept.Exact(new Body("application/json", RESULT.utf8()))));
        }
    }

    @Test
    void aResultOfAnotherClaimIsNotDecrypted() {
        StoredResult other =
                forms.write(OperationRules.STEP, AliasedKey.of(new ClaimKey("acme", "copy", "other")), RESULT);

        assertThatThrownBy(() -> forms.read(KEY, other))
                .isInstanceOfSatisfying(
                        SealException.class, e -> assertThat(e.reason()).isEqualTo(SealException.Reason.NOT_AUTHENTIC));
    }

    @Test
    void aResultOfARetiredSecretIsReported() {
        StoredResult old = new ResultForms(Secrets.of(TestProcess.OLD)).write(OperationRules.STEP, KEY, RESULT);

        assertThatThrownBy(() -> new ResultForms(Secrets.of(TestProcess.FRESH)).read(KEY, old))
                .isInstanceOfSatisfying(
                        SealException.class,
                        e -> assertThat(e.reason()).isEqualTo(SealException.Reason.UNKNOWN_SECRET));
    }

    @Test
    void anEmptiedResultIsATombstoneAndAnEmptyOneIsNot() {
        assertThat(forms.write(OperationRules.OPERATION, KEY, json("{'x':1}")).isTombstone())
                .isTrue();
        assertThat(forms.write(OperationRules.OPERATION, KEY, json("{}")).text())
                .isEqualTo("{}");
        assertThat(forms.write(OperationRules.OPERATION, KEY, json("[1]")).isTombstone())
                .isTrue();
        assertThat(forms.write(OperationRules.PAYMENT, KEY, json("[1]")).text()).isEqualTo("[1]");
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.operations;

import static dev.semel.operations.TestJson.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.claim.AliasedKey;
import dev.semel.claim.ClaimKey;
import dev.semel.key.Secret;
import dev.semel.key.Secrets;
import dev.semel.payload.json.Json;
import org.junit.jupiter.api.Test;

class OperationKeyTest {
    private static final Secret OLD = Secret.of("0123456789abcdef0123456789abcdef");
    private static final Secret FRESH = Secret.of("another secret of more than 32 bytes");
    private static final Json INPUTS = json("{'intakeId':123,'actionRequestId':456,'targetSection':'hero'}");

    /** Computed with Python from the definition: HKDF of secret, purpose and tenant, then HMAC of the canonical bytes. */
    @Test
    void isTheHmacOfTheCanonicalInputs() {
        assertThat(OperationKey.compute(OLD, "launchbase", INPUTS))
                .isEqualTo("097beae1da8e03213093d5359e78428360f47b66de414068f68712de20de5f85");
    }

    @Test
    void orderSpacesAndNotationOfNumbersAreIgnored() {
        Json respelled = json("{ 'targetSection': 'hero', 'actionRequestId': 456.0, 'intakeId': 1.23e2 }");

        assertThat(OperationKey.compute(OLD, "launchbase", respelled))
                .isEqualTo(OperationKey.compute(OLD, "launchbase", INPUTS));
    }

    @Test
    void tenantsSecretsAndInputsMakeOtherKeys() {
        assertThat(new String[] {
                    OperationKey.compute(OLD, "launchbase", INPUTS),
                    OperationKey.compute(OLD, "acme", INPUTS),
                    OperationKey.compute(FRESH, "launchbase", INPUTS),
                    OperationKey.compute(OLD, "launchbase", json("{'intakeId':123}")),
                    OperationKey.compute(OLD, "launchbase", json("{'intakeId':'123'}")),
                })
                .doesNotHaveDuplicates();
    }

    @Test
    void everyActiveSecretHasItsKey() {
        AliasedKey key = OperationKey.of(Secrets.of(FRESH, OLD), "launchbase", "copy", INPUTS);

        assertThat(key.key())
                .isEqualTo(new ClaimKey("launchbase", "copy", OperationKey.compute(FRESH, "launchbase", INPUTS)));
        assertThat(key.aliases())
                .containsExactly(new ClaimKey("launchbase", "copy", OperationKey.compute(OLD, "launchbase", INPUTS)));
        assertThat(OperationKey.of(Secrets.of(OLD), "launchbase", "copy", INPUTS)
                        .aliases())
                .isEmpty();
    }

    @Test
    void inputsCanBeAddedOneByOne() {
        Inputs inputs = Inputs.none()
                .and("intakeId", 123)
                .and("urgent", true)
                .and("targetSection", "hero")
                .and("tags", json("['a']"));

        assertThat(inputs.json()).isEqualTo(json("{'tags':['a'],'targetSection':'hero','urgent':true,'intakeId':123}"));
        assertThatThrownBy(() -> inputs.and("urgent", false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("urgent");
        assertThat(inputs.toString()).doesNotContain("hero");
    }
}

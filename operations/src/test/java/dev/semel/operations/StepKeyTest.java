// SPDX-License-Identifier: Apache-2.0
package dev.semel.operations;

import static dev.semel.operations.TestJson.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.claim.ClaimKey;
import dev.semel.payload.compare.VolatileMembers;
import dev.semel.payload.json.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StepKeyTest {
    private static final Json INPUT = json("{'amount':10,'nested':{'a':1}}");

    @Test
    void theKeyConsistsOfOrganizationRunStepAndInput() {
        assertThat(StepKey.of("acme", "run-1", "send", INPUT))
                .isEqualTo(new ClaimKey(
                        "acme",
                        "step:run-1:send",
                        // printf '{"amount":10,"nested":{"a":1}}' | sha256sum
                        "00e95113ad45addad02891243972a6bcad96aca74f6ca9b0fd75303e4d5af946"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'timestamp':1,'amount':10,'nested':{'a':1}}",
                "{'ts':'x','amount':10.0,'nested':{'a':1,'created_at':2,'createdAt':3}}",
                "{'amount':10,'updated_at':1,'updatedAt':1,'nested':{'sent_at':[1],'a':1,'sentAt':{}}}",
                "{'received_at':null,'receivedAt':0,'nested':{'a':1},'amount':1e1}",
            })
    void volatileMembersAreIgnored(String respelled) {
        assertThat(StepKey.of("acme", "run-1", "send", json(respelled)))
                .isEqualTo(StepKey.of("acme", "run-1", "send", INPUT));
    }

    @Test
    void configuredPointersAreIgnored() {
        VolatileMembers leftOut = VolatileMembers.TIMESTAMPS.andPointers("/nested/try");

        assertThat(StepKey.of("acme", "r", "s", json("{'amount':10,'nested':{'a':1,'try':2}}"), leftOut))
                .isEqualTo(StepKey.of("acme", "r", "s", INPUT, leftOut));
        assertThat(StepKey.inputHash(json("{'amount':10,'try':2}"), leftOut))
                .isNotEqualTo(StepKey.inputHash(json("{'amount':10}"), leftOut));
    }

    @Test
    void anotherInputIsAnotherStep() {
        assertThat(StepKey.of("acme", "run-1", "send", json("{'amount':11,'nested':{'a':1}}")))
                .isNotEqualTo(StepKey.of("acme", "run-1", "send", INPUT));
    }

    @Test
    void differentPartsNeverMakeTheSameScope() {
        assertThat(new String[] {
                    StepKey.scope("a:b", "c"),
                    StepKey.scope("a", "b:c"),
                    StepKey.scope("a%3Ab", "c"),
                    StepKey.scope("a", "b%3Ac"),
                    StepKey.scope("a%253Ab", "c"),
                })
                .doesNotHaveDuplicates()
                .contains("step:a%3Ab:c", "step:a:b%3Ac");
    }

    @Test
    void aScopeThatIsTooLongIsHashed() {
        String run = "r".repeat(1_024);
        String scope = StepKey.scope(run, "s".repeat(1_024));

        assertThat(scope).matches("step:%sha256:[0-9a-f]{64}");
        assertThat(StepKey.scope(run, "s".repeat(1_023)))
                .matches("step:%sha256:[0-9a-f]{64}")
                .isNotEqualTo(scope);
        // No run and step can produce the hashed scope, because the percent sign would be encoded.
        assertThat(StepKey.scope("%sha256", scope.substring("step:%sha256:".length())))
                .startsWith("step:%25sha256:");
        assertThat(StepKey.scope("r".repeat(1_017), "s")).hasSize(1_024).startsWith("step:rrr");
    }

    @Test
    void errorsSayWhichPartIsWrong() {
        assertThatThrownBy(() -> StepKey.scope("", "s")).hasMessageStartingWith("A workflow run id must have 1 to");
        assertThatThrownBy(() -> StepKey.scope("r", "s".repeat(1_025))).hasMessageStartingWith("A step key must have");
        assertThatThrownBy(() -> StepKey.scope("r", "a\nb")).hasMessageContaining("control character");
        assertThatThrownBy(() -> StepKey.scope("r" + (char) 0xd800, "s")).hasMessageContaining("lone surrogate");
        assertThat(StepKey.scope("\ud83d\ude00", "s")).isEqualTo("step:\ud83d\ude00:s");
    }
}

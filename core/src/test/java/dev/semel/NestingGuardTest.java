// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Digest;
import java.util.List;
import org.junit.jupiter.api.Test;

class NestingGuardTest {
    private static final ClaimRef A = ref("0a");
    private static final ClaimRef B = ref("0b");
    private static final ClaimRef C = ref("0c");

    private final NestingGuard guard = new NestingGuard();

    @Test
    void everyDigestIsGuarded() {
        try (NestingGuard.Running outer = guard.enter(List.of(A, B))) {
            assertThat(outer).isNotNull();
            assertThatIllegalStateException()
                    .isThrownBy(() -> guard.requireNotRunning("card.charge", List.of(C, B)))
                    .withMessageContaining("scope card.charge")
                    .withMessageContaining("use another key");
            guard.requireNotRunning("card.charge", List.of(C));
        }
        guard.requireNotRunning("card.charge", List.of(A, B));
    }

    @Test
    void aDigestStaysGuardedUntilTheOuterCallEnds() {
        try (NestingGuard.Running outer = guard.enter(List.of(A))) {
            guard.enter(List.of(A, B)).close();

            assertThat(outer).isNotNull();
            assertThatIllegalStateException().isThrownBy(() -> guard.requireNotRunning("card.charge", List.of(A)));
            guard.requireNotRunning("card.charge", List.of(B));
        }
    }

    @Test
    void anIdleThreadHoldsNoMemory() {
        guard.requireNotRunning("card.charge", List.of(A));
        assertThat(guard.isIdle()).isTrue();

        guard.enter(List.of(A)).close();
        assertThat(guard.isIdle()).isTrue();
    }

    private static ClaimRef ref(String octet) {
        return new ClaimRef("acme", Digest.ofHex(octet.repeat(32)));
    }
}

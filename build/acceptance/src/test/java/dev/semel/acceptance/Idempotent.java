// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

/** The headers of every response of an idempotent route. */
final class Idempotent {
    private Idempotent() {}

    static void isMiss(Answer answer) {
        isMarked(answer, "MISS");
        assertThat(answer.header("Idempotent-Replayed")).isEmpty();
    }

    static void isHit(Answer answer) {
        isMarked(answer, "HIT");
        assertThat(answer.header("Idempotent-Replayed")).isEqualTo("true");
    }

    static void isInProgress(Answer answer) {
        isMarked(answer, "IN_PROGRESS");
        assertThat(answer.header("Retry-After")).as("Retry-After of %s", answer).matches("[1-9][0-9]*");
    }

    static void isConflict(Answer answer) {
        isMarked(answer, "CONFLICT");
    }

    private static void isMarked(Answer answer, String status) {
        assertThat(answer.header("X-Idempotency-Status"))
                .as("X-Idempotency-Status of %s", answer)
                .isEqualTo(status);
        assertThat(answer.header("X-Idempotency-Key"))
                .as("X-Idempotency-Key of %s", answer)
                .isNotEmpty();
    }
}

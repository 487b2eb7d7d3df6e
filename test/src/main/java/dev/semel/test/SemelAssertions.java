// SPDX-License-Identifier: Apache-2.0
package dev.semel.test;

import dev.semel.Outcome;
import org.jspecify.annotations.Nullable;

/** Entry points for assertions, for a static import next to those of AssertJ. */
public final class SemelAssertions {
    private SemelAssertions() {}

    /** Assertions about the outcome that a caller received. */
    public static <T extends @Nullable Object> OutcomeAssert<T> assertThat(Outcome<T> actual) {
        return new OutcomeAssert<>(actual);
    }

    /** Assertions about what happened to claims; see {@link TestSemel#history()}. */
    public static ClaimHistoryAssert assertThat(ClaimHistory actual) {
        return new ClaimHistoryAssert(actual);
    }
}

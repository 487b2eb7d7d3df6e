// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

/** Checks errors. */
final class Problem {
    private Problem() {}

    /** An error with this status that names its subject. */
    static void isProblem(Answer answer, int status, String... named) {
        assertThat(answer.status()).as("status of %s", answer).isEqualTo(status);
        assertThat(OpenApi.problemViolations(answer)).as("%s", answer).isEmpty();
        for (String name : named) {
            assertThat(answer.text()).contains(name);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.semel.claim.StalePolicy;
import dev.semel.claim.Terms;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RulesTest {
    @Test
    void byDefault401And403And408And425And429And5xxReleaseTheKey() {
        assertThat(IntStream.range(200, 600)
                        .filter(ReleasedStatuses.DEFAULT::contains)
                        .filter(status -> status < 500))
                .containsExactly(401, 403, 408, 425, 429);
        assertThat(IntStream.range(500, 600)).allMatch(ReleasedStatuses.DEFAULT::contains);
        assertThat(ReleasedStatuses.DEFAULT.contains(600)).isTrue();
        assertThat(ReleasedStatuses.DEFAULT).hasToString("[401, 403, 408, 425, 429, 5xx]");
    }

    @ParameterizedTest
    @ValueSource(ints = {199, 600, -1})
    void aReleasedStatusIsAStatus(int status) {
        assertThatIllegalArgumentException().isThrownBy(() -> new ReleasedStatuses(Set.of(status), Set.of()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Set-Cookie",
                "set-cookie",
                "Authorization",
                "Connection",
                "Transfer-Encoding",
                "X-Idempotency-Key"
            })
    void someHeadersAreNeverReplayed(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ReplayedHeaders.DEFAULT.and(List.of(name)))
                .withMessageContaining(name);
    }

    @Test
    void headersKeepTheirOrderAndSpelling() {
        List<HeaderLine> all = List.of(
                new HeaderLine("Link", "<a>"),
                new HeaderLine("SET-COOKIE", "s=1"),
                new HeaderLine("x-request-id", "7"),
                new HeaderLine("LOCATION", "/a"),
                new HeaderLine("Link", "<b>"));

        assertThat(ReplayedHeaders.DEFAULT.and(List.of("X-Request-Id")).of(all))
                .containsExactly(all.get(0), all.get(2), all.get(3), all.get(4));
    }

    @Test
    void eachStatusOfAProfileCanBeOverridden() {
        assertThat(Profile.IETF.withInProgress(425).withMismatch(409).withMissing(428))
                .isEqualTo(new Profile("ietf", 425, 409, 428));
        assertThatIllegalArgumentException().isThrownBy(() -> Profile.IETF.withInProgress(200));
        assertThatIllegalArgumentException().isThrownBy(() -> Profile.IETF.withMismatch(200));
        assertThatIllegalArgumentException().isThrownBy(() -> Profile.IETF.withMissing(500));
    }

    @Test
    void rulesAreChecked() {
        assertThatIllegalArgumentException().isThrownBy(() -> ApiRules.of("orders"));
        assertThatIllegalArgumentException().isThrownBy(() -> ApiRules.of("/" + "o".repeat(512)));
        ApiRules rules = ApiRules.of("/" + "o".repeat(511));
        assertThatIllegalArgumentException().isThrownBy(() -> rules.withLongestWait(Duration.ofSeconds(-1)));
        assertThatIllegalArgumentException().isThrownBy(() -> rules.withMaxAnswerBytes(-1));
        assertThatIllegalArgumentException().isThrownBy(() -> rules.withMaxAnswerBytes((8 << 20) + 1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> rules.withTerms(Terms.DEFAULT.withOnStale(StalePolicy.RECONCILE)));
    }

    @Test
    void theLongestScopeFitsAClaim() {
        assertThat(ApiRules.of("/" + "o".repeat(511)).scope("DELETE", "a".repeat(255)))
                .hasSizeLessThan(1_024);
    }
}

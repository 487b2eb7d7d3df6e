// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Bounds on what a tenant may ask for. */
@BlackBox
class LimitsTest {
    private static final int AT_ONCE = 5;

    @Test
    void boundsTheRateOfNewKeysOfATenant() {
        Configuration strict =
                Configuration.with("limits: {new_keys_per_second: 1, new_keys_at_once: %d}\n".formatted(AT_ONCE));
        try (RunningServer server = Environment.SQLITE.fresh(strict)) {
            Caller caller = server.caller();
            JsonObject known = Claims.fresh();
            Claims.succeed(caller, Claims.granted(caller, known), "done");

            List<Answer> flood = IntStream.range(0, 4 * AT_ONCE)
                    .mapToObj(i -> Claims.claim(caller, Claims.fresh()))
                    .toList();

            assertThat(flood).extracting(Answer::status).containsOnly(201, 429);
            List<Answer> refused =
                    flood.stream().filter(answer -> answer.status() == 429).toList();
            assertThat(refused).hasSizeGreaterThan(AT_ONCE).allSatisfy(answer -> {
                Problem.isProblem(answer, 429);
                assertThat(answer.header("Retry-After")).matches("[1-9][0-9]*");
            });
            assertThat(Claims.claim(caller, known).get("result"))
                    .as("a key that is known is not a new one")
                    .isEqualTo("done");
            assertThat(Claims.claim(server.caller(), Claims.fresh()).status())
                    .as("another tenant")
                    .isEqualTo(201);
        }
    }

    @Test
    void boundsABodyWhileItIsRead() {
        try (RunningServer server = Environment.SQLITE.fresh(Configuration.with("limits: {body_bytes: 2048}\n"))) {
            Caller caller = server.caller();
            JsonObject claim = Claims.granted(caller, Claims.fresh());
            Problem.isProblem(Claims.succeed(caller, claim, "x".repeat(3_000)), 413);
            assertThat(Claims.succeed(caller, claim, "x".repeat(1_000)).status())
                    .isEqualTo(200);
        }
    }
}

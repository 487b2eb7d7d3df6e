// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Claims and time: leases that end, results that expire, callers that wait. */
@BlackBox
@ParameterizedClass
@EnumSource(
        value = Environment.class,
        names = {"SQLITE", "MARIADB", "POSTGRES_REDIS", "DYNAMODB"})
class ClaimTimesTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    @Parameter
    Environment environment;

    private Caller caller;

    @BeforeEach
    void someTenant() {
        caller = environment.shared().caller();
    }

    @Test
    void givesAStaleClaimToTheNextAndRefusesTheZombie() {
        JsonObject body = Claims.fresh().put("lease_seconds", 1);
        JsonObject zombie = Claims.granted(caller, body);
        JsonObject successor = awaitGrant(body);
        assertThat(successor.getInteger("attempt")).isEqualTo(2);
        Problem.isProblem(Claims.succeed(caller, zombie, "zombie"), 409);
        Problem.isProblem(Claims.fail(caller, zombie, true), 409);
        Problem.isProblem(Claims.settle(caller, zombie, "renew", new JsonObject()), 409);
        assertThat(Claims.succeed(caller, successor, "successor").status()).isEqualTo(200);
        assertThat(Claims.claim(caller, body).get("result")).isEqualTo("successor");
    }

    @Test
    void parksAStaleClaimIfTheClaimSaysSo() {
        JsonObject body = Claims.fresh().put("lease_seconds", 1).put("on_stale", "park");
        Claims.granted(caller, body);
        await().atMost(LONG).until(() -> Claims.claim(caller, body).status() != 202);
        Answer next = Claims.claim(caller, body);
        assertThat(next.status()).as("%s", next).isNotEqualTo(201);
    }

    @Test
    void forgetsAResultAfterItsTime() {
        JsonObject body = Claims.fresh().put("ttl_seconds", 1);
        assertThat(Claims.succeed(caller, Claims.granted(caller, body), "old").status())
                .isEqualTo(200);
        // The result is kept for longer than this machine may pause.
        JsonObject again = awaitGrant(body.copy().put("ttl_seconds", 3_600));
        assertThat(Claims.succeed(caller, again, "new").status()).isEqualTo(200);
        assertThat(Claims.claim(caller, body).get("result")).isEqualTo("new");
    }

    @Test
    void waitsForTheFirstIfAsked() {
        JsonObject body = Claims.fresh();
        JsonObject claim = Claims.granted(caller, body);
        CompletableFuture<Answer> waiting = CompletableFuture.supplyAsync(
                () -> Claims.claim(caller, body.copy().put("wait_ms", 20_000)));
        assertThat(Claims.claim(caller, body.copy().put("wait_ms", 100)).status())
                .isEqualTo(202);
        assertThat(waiting).isNotDone();
        Claims.succeed(caller, claim, "done");
        await().atMost(LONG).until(waiting::isDone);
        assertThat(waiting.join().get("result")).isEqualTo("done");
    }

    private JsonObject awaitGrant(JsonObject body) {
        return await().atMost(LONG)
                .until(() -> Claims.claim(caller, body), answer -> answer.status() == 201)
                .json();
    }
}

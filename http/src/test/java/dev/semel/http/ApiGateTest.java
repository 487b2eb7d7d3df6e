// SPDX-License-Identifier: Apache-2.0
package dev.semel.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.Semel;
import dev.semel.claim.ClaimKey;
import dev.semel.claim.StalePolicy;
import dev.semel.claim.Terms;
import dev.semel.key.Secret;
import dev.semel.key.Secrets;
import dev.semel.memory.MemoryClaimStore;
import dev.semel.payload.Keep;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ApiGateTest {
    private static final Secret SECRET = Secret.of("0123456789abcdef0123456789abcdef");
    private static final ApiRules RULES = ApiRules.of("/orders/**");

    private final MemoryClaimStore store = new MemoryClaimStore(InstantSource.system());

    @AutoClose
    private final Semel semel =
            Semel.on(store).secrets(Secrets.of(SECRET)).withoutSweep().build();

    private final ApiGate gate = new ApiGate(semel);
    private final AtomicInteger runs = new AtomicInteger();
    private final List<Attempt> attempts = new ArrayList<>();

    private static ApiRequest request(String body) {
        return request("acme", "billing", body);
    }

    private static ApiRequest request(String tenant, String actor, String body) {
        return new ApiRequest(
                "POST",
                "/orders/1",
                "",
                "application/json",
                body.getBytes(StandardCharsets.UTF_8),
                tenant,
                actor,
                "",
                Optional.of("k-1"),
                List.of());
    }

    private ApiAnswer send(ApiRules rules, ApiRequest request, ApiResult result) {
        ApiReply reply = gate.run(rules, request, attempt -> {
            runs.incrementAndGet();
            attempts.add(attempt);
            return result;
        });
        return answer(reply);
    }

    private static ApiAnswer answer(ApiReply reply) {
        return reply instanceof ApiReply.Replay replay ? replay.answer().get() : ((ApiReply.Answer) reply).answer();
    }

    private static ApiResult complete(int status, String type, String body) {
        return new ApiResult.Complete(new ApiAnswer(
                status,
                List.of(
                        new HeaderLine("Content-Type", type),
                        new HeaderLine("Set-Cookie", "s=1"),
                        new HeaderLine("X-Idempotency-Status", "the service's own"),
                        new HeaderLine("Location", "/orders/1")),
                body.getBytes(StandardCharsets.UTF_8)));
    }

    private static String text(ApiAnswer answer) {
        return new String(answer.body(), StandardCharsets.UTF_8);
    }

    @Test
    void theFirstRequestRunsAndADuplicateIsReplayedByteForByte() {
        ApiAnswer first = send(RULES, request("{\"a\": 1}"), complete(201, "text/odd", "\0\u00ff card 4111"));
        ApiAnswer again = send(RULES, request("{ \"a\":1.0 }"), complete(500, "text/odd", "never"));

        assertThat(runs).hasValue(1);
        assertThat(first.header("Set-Cookie")).contains("s=1");
        assertThat(HeaderLine.values(first.headers(), IdempotencyHeaders.STATUS))
                .containsExactly("MISS");
        assertThat(again.status()).isEqualTo(201);
        assertThat(again.body()).isEqualTo(first.body());
        assertThat(again.header("Location")).contains("/orders/1");
        assertThat(again.header("Content-Type")).contains("text/odd");
        assertThat(again.header("Set-Cookie")).isEmpty();
        assertThat(again.header(IdempotencyHeaders.STATUS)).contains("HIT");
        assertThat(again.header(IdempotencyHeaders.REPLAYED)).contains("true");
        assertThat(again.header(IdempotencyHeaders.REPLAY_FORM)).isEmpty();
        assertThat(again.header(IdempotencyHeaders.EXPIRES))
                .isEqualTo(first.header(IdempotencyHeaders.EXPIRES))
                .isPresent();
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 404, 409, 422})
    void aFinalErrorIsReplayed(int status) {
        send(RULES, request("{}"), complete(status, "text/plain", "no"));
        ApiAnswer again = send(RULES, request("{}"), complete(200, "text/plain", "yes"));

        assertThat(runs).hasValue(1);
        assertThat(again.status()).isEqualTo(status);
        assertThat(text(again)).isEqualTo("no");
        assertThat(again.header(IdempotencyHeaders.REPLAYED)).contains("true");
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 403, 408, 425, 429, 500, 503})
    void anAnswerThatIsNotFinalReleasesTheKey(int status) {
        ApiAnswer first = send(RULES, request("{}"), complete(status, "text/plain", "later"));
        ApiAnswer again = send(RULES, request("{}"), complete(200, "text/plain", "now"));

        assertThat(first.status()).isEqualTo(status);
        assertThat(first.header(IdempotencyHeaders.EXPIRES)).isEmpty();
        assertThat(text(again)).isEqualTo("now");
        assertThat(attempts.get(1).number()).isEqualTo(2);
        assertThat(attempts.get(1).childKey()).isEqualTo(attempts.get(0).childKey());
        assertThat(attempts.get(1).fence()).isGreaterThan(attempts.get(0).fence());
    }

    @Test
    void aDifferentRequestIsRejectedAndExplainedWithoutValues() {
        send(RULES, request("{\"amount\":10,\"note\":{\"a\":1}}"), complete(200, "text/plain", "ok"));
        ApiAnswer other = send(
                RULES, request("{\"amount\":77,\"note\":{\"a\":1,\"b,c\":2}}"), complete(200, "text/plain", "never"));

        assertThat(runs).hasValue(1);
        assertThat(other.status()).isEqualTo(422);
        assertThat(other.header(IdempotencyHeaders.STATUS)).contains("CONFLICT");
        assertThat(other.header(IdempotencyHeaders.DIFFERS)).contains("/amount, /note/b%2Cc");
        assertThat(text(other)).contains("/amount").doesNotContain("77").doesNotContain("10");
    }

    @Test
    void aDifferentRequestIsRejectedWhileTheFirstRuns() throws Exception {
        CompletableFuture<ApiResult> held = new CompletableFuture<>();
        CompletableFuture<ApiReply> first = gate.runAsync(RULES, request("{\"amount\":10}"), attempt -> {
                    runs.incrementAndGet();
                    return held;
                })
                .toCompletableFuture();
        await().until(() -> runs.get() == 1);

        ApiAnswer running = send(RULES, request("{\"amount\":10}"), complete(200, "text/plain", "never"));
        ApiAnswer other = send(RULES, request("{\"amount\":20}"), complete(200, "text/plain", "never"));
        held.complete(complete(200, "text/plain", "done"));

        assertThat(running.status()).isEqualTo(409);
        assertThat(running.header("Retry-After").map(Integer::valueOf))
                .hasValueSatisfying(wait -> assertThat(wait).isBetween(1, 5));
        assertThat(other.status()).isEqualTo(422);
        assertThat(other.header(IdempotencyHeaders.DIFFERS)).contains("/amount");
        assertThat(text(((ApiReply.Answer) first.get()).answer())).isEqualTo("done");
        assertThat(runs).hasValue(1);
    }

    @Test
    void tenantsAndActorsAreIsolated() {
        for (String tenant : List.of("acme", "umbrella")) {
            for (String actor : List.of("a", "b")) {
                ApiAnswer answer =
                        send(RULES, request(tenant, actor, "{}"), complete(200, "text/plain", tenant + actor));
                assertThat(text(answer)).isEqualTo(tenant + actor);
            }
        }
        assertThat(runs).hasValue(4);
    }

    @ParameterizedTest
    @EnumSource(
            value = StalePolicy.class,
            names = {"RERUN", "PARK"})
    void aLostAnswerRunsAgainWithTheSameChildKeyOrIsParked(StalePolicy policy) {
        ApiRules rules = RULES.withTerms(Terms.DEFAULT.withOnStale(policy));
        ApiAnswer first = send(rules, request("{}"), new ApiResult.Lost(ApiAnswer.empty(504)));
        ApiAnswer again = send(rules, request("{}"), complete(200, "text/plain", "done"));

        assertThat(first.status()).isEqualTo(504);
        if (policy == StalePolicy.RERUN) {
            assertThat(text(again)).isEqualTo("done");
            assertThat(attempts.get(1).childKey()).isEqualTo(attempts.get(0).childKey());
        } else {
            assertThat(runs).hasValue(1);
            assertThat(again.status()).isEqualTo(409);
            assertThat(text(again)).contains("outcome-unknown");
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyReplayIndicatesItsForm(Keep keep) {
        ApiRules rules = RULES.withStore(keep);
        send(
                rules,
                request("{}"),
                complete(200, "application/json", "{\"id\":\"o-1\",\"phone\":\"+41791234567\",\"password\":\"x\"}"));
        ApiAnswer again = send(rules, request("{}"), complete(500, "text/plain", "never"));

        assertThat(again.status()).isEqualTo(200);
        assertThat(again.header(IdempotencyHeaders.REPLAY_FORM).orElse("exact"))
                .isEqualTo(
                        switch (keep) {
                            case SEALED -> "exact";
                            case SANITISED -> "sanitised";
                            case NONE -> "none";
                        });
        assertThat(text(again)).satisfies(body -> {
            switch (keep) {
                case SEALED -> assertThat(body).contains("+41791234567").contains("\"x\"");
                case SANITISED ->
                    assertThat(body).contains("o-1").doesNotContain("123456").doesNotContain("\"x\"");
                case NONE -> assertThat(body).isEmpty();
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 65_535, 65_536, 1 << 20, (1 << 20) + 1})
    void anAnswerAboveTheBoundIsNotStoredAndNotRunAgain(int size) {
        send(RULES, request("{}"), complete(200, "text/plain", "x".repeat(size)));
        ApiAnswer again = send(RULES, request("{}"), complete(200, "text/plain", "never"));

        assertThat(runs).hasValue(1);
        if (size <= 1 << 20) {
            assertThat(again.body()).hasSize(size);
        } else {
            assertThat(again.body()).isEmpty();
            assertThat(again.header(IdempotencyHeaders.REPLAY_FORM)).contains("none");
            assertThat(again.header(IdempotencyHeaders.REPLAY_NOTE))
                    .hasValueSatisfying(note -> assertThat(note).contains("too large"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"v", "\u00e9", "\u20ac"})
    void headersAboveTheBoundAreNotStoredAndNotRunAgain(String character) {
        List<HeaderLine> headers = List.of(new HeaderLine("Link", character.repeat(32_764)));
        send(RULES, request("{}"), new ApiResult.Complete(new ApiAnswer(201, headers, new byte[0])));
        ApiAnswer again = send(RULES, request("{}"), complete(200, "text/plain", "never"));

        assertThat(runs).hasValue(1);
        assertThat(again.status()).isEqualTo(201);
        assertThat(again.header(IdempotencyHeaders.REPLAY_FORM).isPresent()).isEqualTo(!character.equals("v"));
        assertThat(again.header("Link").isPresent()).isEqualTo(character.equals("v"));
    }

    @Test
    void anExceptionOfTheRequestIsThrownAndReleasesTheKey() {
        IllegalStateException failure = new IllegalStateException("no");
        ApiReply first = gate.run(RULES, request("{}"), attempt -> {
            throw failure;
        });
        ApiAnswer again = send(RULES, request("{}"), complete(200, "text/plain", "done"));

        assertThat(first).isEqualTo(new ApiReply.Threw(failure));
        assertThat(text(again)).isEqualTo("done");
    }

    @Test
    void onTheCallersThreadTheRequestIsStartedAndSettledWhenItsStageEnds() throws Exception {
        CompletableFuture<ApiResult> held = new CompletableFuture<>();
        Thread caller = Thread.currentThread();
        CompletableFuture<ApiReply> first = gate.runOnCaller(RULES, request("{}"), attempt -> {
                    assertThat(Thread.currentThread()).isEqualTo(caller);
                    return held;
                })
                .toCompletableFuture();
        ApiAnswer running = send(RULES, request("{}"), complete(200, "text/plain", "never"));
        held.complete(complete(404, "text/plain", "none"));

        assertThat(running.status()).isEqualTo(409);
        assertThat(text(((ApiReply.Answer) first.get()).answer())).isEqualTo("none");
        assertThat(text(send(RULES, request("{}"), complete(200, "text/plain", "never"))))
                .isEqualTo("none");
        assertThat(runs).hasValue(0);
    }

    @Test
    void onTheCallersThreadAFailureIsReturnedAndMalformedJsonIsRejected() {
        IllegalStateException failure = new IllegalStateException("no");
        CompletableFuture<ApiReply> threw = gate.runOnCaller(
                        RULES, request("{}"), attempt -> CompletableFuture.failedFuture(failure))
                .toCompletableFuture();
        CompletableFuture<ApiReply> refused = gate.runOnCaller(
                        RULES, request("{"), attempt -> CompletableFuture.failedFuture(failure))
                .toCompletableFuture();

        assertThat(threw).isCompletedWithValue(new ApiReply.Threw(failure));
        assertThat(((ApiReply.Answer) refused.join()).answer().status()).isEqualTo(400);
        assertThat(text(send(RULES, request("{}"), complete(200, "text/plain", "done"))))
                .isEqualTo("done");
    }

    @Test
    void malformedJsonIsRejected() {
        ApiAnswer refused = send(RULES, request("{\"a\":1,\"a\":2}"), complete(200, "text/plain", "never"));

        assertThat(refused.status()).isEqualTo(400);
        assertThat(runs).hasValue(0);
    }

    @Test
    void nothingOfASealedAnswerIsReadableInTheStore() {
        send(RULES, request("{\"card\":\"4111\"}"), complete(200, "text/plain", "secret receipt"));

        byte[] stored = store.read(
                        List.of(semel.refOf(new ClaimKey("acme", "api:POST:/orders/**:actor:billing", "k-1"))))
                .values()
                .iterator()
                .next()
                .result()
                .bytes();

        assertThat(new String(stored, StandardCharsets.ISO_8859_1))
                .doesNotContain("receipt")
                .doesNotContain("text/plain");
    }

    @Test
    void aStoredAnswerIsReadableDuringARotationAndUnreadableAfterIt() {
        send(RULES, request("{}"), complete(200, "text/plain", "done"));
        Secret fresh = Secret.of("fedcba9876543210fedcba9876543210");

        Secrets both = Secrets.of(fresh, SECRET);
        try (Semel rotated = Semel.on(store).secrets(both).withoutSweep().build()) {
            ApiReply again =
                    new ApiGate(rotated).run(RULES, request("{}"), attempt -> complete(200, "text/plain", "never"));
            assertThat(text(answer(again))).isEqualTo("done");
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.cases;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** {@code @Idempotent} on controllers, and the responses for exceptions of idempotent methods. */
public abstract class ControllerCases {
    private final RunningShop running = SharedShop.get();

    private Call pay(String key) {
        return Call.to(running, "/payments", "{\"amount\": 5}").key(key);
    }

    @Test
    void createdResponseIsReplayedByteForByte() {
        HttpResponse<byte[]> first = pay("h-1").send();
        HttpResponse<byte[]> again = pay("h-1").send();

        assertThat(first.statusCode()).isEqualTo(201);
        assertThat(Call.header(first, "Location")).startsWith("/payments/");
        assertThat(Call.text(first)).contains("client_secret");
        assertThat(again.statusCode()).isEqualTo(201);
        assertThat(again.body()).isEqualTo(first.body());
        assertThat(Call.header(again, "Location")).isEqualTo(Call.header(first, "Location"));
        assertThat(Call.header(again, "Content-Type")).isEqualTo(Call.header(first, "Content-Type"));
        assertThat(Call.header(first, "X-Idempotency-Status")).isEqualTo("MISS");
        assertThat(Call.header(again, "X-Idempotency-Status")).isEqualTo("HIT");
        assertThat(Call.header(again, "Idempotent-Replayed")).isEqualTo("true");
    }

    /** Spring ignores path parameters when it chooses the handler, so they must not avoid the protection. */
    @Test
    void pathParametersDoNotAvoidTheProtection() {
        HttpResponse<byte[]> first = pay("h-20").send();
        HttpResponse<byte[]> again = Call.to(running, "/payments;jsessionid=1", "{\"amount\": 5}")
                .key("h-20")
                .send();

        assertThat(first.statusCode()).isEqualTo(201);
        assertThat(again.statusCode()).as(Call.text(again)).isIn(201, 422);
        if (again.statusCode() == 201) {
            assertThat(again.body()).isEqualTo(first.body());
        }
    }

    @Test
    void noTenantAndNoUserSeesTheAnswerOfAnother() {
        String a = Call.text(pay("h-2").with("X-Tenant", "a").send());
        String b = Call.text(pay("h-2").with("X-Tenant", "b").send());
        String alice = Call.text(
                pay("h-2").with("X-Tenant", "a").with("X-User", "alice").send());
        String bob =
                Call.text(pay("h-2").with("X-Tenant", "a").with("X-User", "bob").send());

        assertThat(java.util.Set.of(a, b, alice, bob)).hasSize(4);
        assertThat(Call.text(pay("h-2").with("X-Tenant", "a").send())).isEqualTo(a);
        assertThat(Call.text(pay("h-2").with("X-Tenant", "b").send())).isEqualTo(b);
        assertThat(Call.text(
                        pay("h-2").with("X-Tenant", "a").with("X-User", "bob").send()))
                .isEqualTo(bob);
    }

    @Test
    void missingKeyAndAnotherRequestAreRefused() {
        assertThat(Call.to(running, "/payments", "{\"amount\": 5}").send().statusCode())
                .isEqualTo(400);
        pay("h-3").send();
        HttpResponse<byte[]> other =
                Call.to(running, "/payments", "{\"amount\": 6}").key("h-3").send();

        assertThat(other.statusCode()).isEqualTo(422);
        assertThat(Call.header(other, "Content-Type")).isEqualTo("application/problem+json");
        assertThat(Call.header(other, "Idempotency-Differs")).isEqualTo("/amount");
    }

    @Test
    void asynchronousHandlerWithAVariableIsReplayed() {
        Call capture = Call.to(running, "/payments/17/captures", "").key("h-4");
        HttpResponse<byte[]> first = capture.send();

        assertThat(first.statusCode()).isEqualTo(200);
        assertThat(Call.text(first)).contains("\"id\":\"17\"");
        assertThat(Call.text(capture.send())).isEqualTo(Call.text(first));
    }

    @Test
    void unprotectedRouteNeedsNoKey() {
        assertThat(Call.to(running, "/orders", order("h-5", 1)).send().statusCode())
                .isEqualTo(200);
    }

    private static String order(String id, int amount) {
        return "{\"id\": \"%s\", \"amount\": %d, \"notes\": [], \"lines\": {}}".formatted(id, amount);
    }

    @Test
    void mismatchAndRejectionOfABeanAreProblems() {
        Call.to(running, "/orders", order("h-6", 1)).send();
        HttpResponse<byte[]> mismatch =
                Call.to(running, "/orders", order("h-6", 2)).send();
        HttpResponse<byte[]> rejected = Call.to(running, "/rejected/h-6", "").send();

        assertThat(mismatch.statusCode()).isEqualTo(422);
        assertThat(Call.header(mismatch, "Content-Type")).isEqualTo("application/problem+json");
        assertThat(Call.text(mismatch)).contains("urn:semel:problem:mismatch");
        assertThat(rejected.statusCode()).isEqualTo(422);
        assertThat(Call.text(rejected)).contains("\"code\":\"INSUFFICIENT_FUNDS\"");
    }

    /** Under a protected route, 409 would be stored as the answer of the request's own key: 503 releases it. */
    @Test
    void operationInProgressIsAProblemThatIsNotStored() throws Exception {
        Shop shop = running.shop();
        CompletableFuture<HttpResponse<byte[]>> first = CompletableFuture.supplyAsync(
                () -> Call.to(running, "/blocked/h-7", "").send());
        Awaitility.await().until(() -> shop.runs("h-7") == 1);

        HttpResponse<byte[]> again = Call.to(running, "/blocked/h-7", "").send();
        Call guarded = Call.to(running, "/protected-blocked/h-7", "").key("h-7");
        HttpResponse<byte[]> guardedFirst = guarded.send();
        shop.gate().release();

        assertThat(again.statusCode()).isEqualTo(409);
        assertThat(Integer.parseInt(Call.header(again, "Retry-After"))).isBetween(1, 5);
        assertThat(guardedFirst.statusCode()).isEqualTo(503);
        assertThat(Call.text(first.get())).isEqualTo("done");
        assertThat(Call.text(guarded.send())).isEqualTo("done");
    }

    @Test
    void routeOfThePropertiesIsProtected() {
        Call call = Call.to(running, "/configured/thing", "");
        assertThat(call.send().statusCode()).isEqualTo(400);
        assertThat(Call.text(call.key("h-8").send()))
                .isEqualTo(Call.text(call.key("h-8").send()));
    }

    @Test
    void mappingWithoutMethodsIsProtected() {
        Call call = Call.to(running, "/any-method", "");
        assertThat(call.send().statusCode()).isEqualTo(400);
        assertThat(Call.text(call.key("h-9").send()))
                .isEqualTo(Call.text(call.key("h-9").send()));
    }
}

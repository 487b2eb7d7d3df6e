// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.semel.ClaimOutcome;
import dev.semel.claim.ClaimKey;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.Status;
import dev.semel.claim.Terms;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The admin API, which is off by default and needs an authenticated user. */
public abstract class AdminCases {
    private static HttpResponse<String> send(
            RunningShop shop, String method, String path, String body, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + shop.port() + path))
                .method(method, HttpRequest.BodyPublishers.ofString(body));
        request.setHeader("Content-Type", "application/json");
        for (int i = 0; i < headers.length; i += 2) {
            request.setHeader(headers[i], headers[i + 1]);
        }
        return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static String member(String json, String name) {
        Matcher found = Pattern.compile("\"%s\":\"?([^\",}]+)".formatted(name)).matcher(json);
        assertThat(found.find()).as(json).isTrue();
        return found.group(1);
    }

    /** Whether the claim was granted. If it was, it is parked. */
    private static boolean parks(RunningShop shop) throws Exception {
        return parks(shop, "admin", "order-1");
    }

    private static boolean parks(RunningShop shop, String scope, String key) throws Exception {
        ClaimOutcome outcome = shop.semel()
                .claim(new ClaimKey("default", scope, key), Fingerprint.NONE, Terms.DEFAULT, Duration.ZERO)
                .toCompletableFuture()
                .get(60, TimeUnit.SECONDS);
        if (outcome instanceof ClaimOutcome.Granted granted) {
            shop.semel()
                    .settle(granted.claim(), Status.UNKNOWN, null, "lost")
                    .toCompletableFuture()
                    .get(60, TimeUnit.SECONDS);
        }
        return outcome instanceof ClaimOutcome.Granted;
    }

    @Test
    void theApiIsOffByDefault() throws Exception {
        assertThat(send(SharedShop.get(), "GET", "/semel/v1/keys", "", "X-User", "ann")
                        .statusCode())
                .isEqualTo(404);
    }

    @Test
    void aParkedClaimIsDecidedByAnOperator() throws Exception {
        try (RunningShop shop = RunningShop.start(SharedShop.database(), "semel.admin.enabled=true")) {
            assertThat(parks(shop)).isTrue();
            String[] ann = {"X-User", "ann"};
            String[] operator = {"X-User", "olga", "X-Role", "SEMEL_OPERATOR"};

            assertThat(send(shop, "GET", "/semel/v1/keys", "").statusCode()).isEqualTo(401);
            String found = send(shop, "GET", "/semel/v1/keys?status=unknown&scope=admin", "", ann)
                    .body();
            String id = member(found, "id");
            String decision = "{\"fence\":%s,\"reason\":\"seen at the bank\"}".formatted(member(found, "fence"));
            String release = "/semel/v1/keys/" + id + "/release";
            assertThat(send(shop, "POST", release, decision, ann).statusCode()).isEqualTo(403);
            assertThat(send(shop, "POST", release, "{", operator).statusCode()).isEqualTo(400);
            assertThat(send(shop, "GET", "/semel/v1/keys?stat=1", "", ann).statusCode())
                    .isEqualTo(400);
            assertThat(send(shop, "GET", "/semel/v1/keys/" + id, "", "X-User", "ann", "X-Tenant", "other")
                            .statusCode())
                    .isEqualTo(404);

            assertThat(send(
                                    shop,
                                    "POST",
                                    release,
                                    decision,
                                    "X-User",
                                    "olga",
                                    "X-Role",
                                    "SEMEL_OPERATOR",
                                    "Content-Type",
                                    "text/plain")
                            .statusCode())
                    .as("as a form of another site could send it, with the cookies of the user")
                    .isEqualTo(415);

            assertThat(send(
                                    shop,
                                    "POST",
                                    release,
                                    decision,
                                    "X-User",
                                    "ann",
                                    "X-Role",
                                    "SEMEL_OPERATOR",
                                    "Content-Type",
                                    "json")
                            .statusCode())
                    .as("a media type that is none")
                    .isEqualTo(415);

            HttpResponse<String> decided = send(shop, "POST", release, decision, operator);

            assertThat(decided.statusCode()).as(decided.body()).isEqualTo(200);
            assertThat(send(shop, "GET", "/semel/v1/audit", "", ann).headers().firstValue("Cache-Control"))
                    .hasValue("no-store");
            assertThat(send(shop, "GET", "/semel/v1/audit", "", ann).body())
                    .contains("\"actor\":\"olga\"")
                    .contains("\"kind\":\"released\"");
            assertThat(parks(shop)).as("it runs again").isTrue();
            assertThat(send(shop, "GET", "/semel/v1/stats", "", ann).body()).contains("\"window_seconds\":900");
            conflictsShowWhereTheRequestDiffered(shop);
        }
    }

    private static String conflictsShowWhereTheRequestDiffered(RunningShop shop) throws Exception {
        String[] ann = {"X-User", "ann", "X-Tenant", "tenant-" + UUID.randomUUID(), "Idempotency-Key", "\"one\""};
        assertThat(send(shop, "POST", "/payments", "{\"amount\":1}", ann).statusCode())
                .isEqualTo(201);
        String id = member(send(shop, "GET", "/semel/v1/keys", "", ann).body(), "id");
        assertThat(send(shop, "POST", "/payments", "{\"amount\":2}", ann).statusCode())
                .isEqualTo(422);

        await("the history is written with a delay")
                .atMost(Duration.ofSeconds(30))
                .until(() -> send(shop, "GET", "/semel/v1/keys/" + id, "", ann)
                        .body()
                        .contains("\"details\":\"/amount\""));
        return id;
    }

    @Test
    void aMethodReturnsTheResultThatAnOperatorGave() throws Exception {
        try (RunningShop shop = RunningShop.start(SharedShop.database(), "semel.admin.enabled=true")) {
            String order = "order-" + UUID.randomUUID();
            assertThat(parks(shop, "orders.list", order)).isTrue();
            String[] operator = {"X-User", "olga", "X-Role", "SEMEL_OPERATOR"};
            String found = send(shop, "GET", "/semel/v1/keys?status=unknown&scope=orders.list", "", operator)
                    .body();
            String decision = "{\"fence\":%s,\"reason\":\"seen at the bank\",\"result\":[{\"a\":7}]}"
                    .formatted(member(found, "fence"));

            HttpResponse<String> decided =
                    send(shop, "POST", "/semel/v1/keys/" + member(found, "id") + "/succeed", decision, operator);

            assertThat(decided.statusCode()).as(decided.body()).isEqualTo(200);
            assertThat(shop.shop().list(order)).containsExactly(Map.of("a", 7));
        }
    }

    @Test
    void oldHistoryIsDeleted() throws Exception {
        try (RunningShop shop =
                RunningShop.start(SharedShop.database(), "semel.admin.enabled=true", "semel.admin.keep-history=1ms")) {
            String id = conflictsShowWhereTheRequestDiffered(shop);
            String[] operator = {"X-User", "olga", "X-Role", "SEMEL_OPERATOR"};
            assertThat(send(shop, "POST", "/semel/v1/cleanup", "{}", "X-User", "ann")
                            .statusCode())
                    .isEqualTo(403);

            HttpResponse<String> cleaned = send(shop, "POST", "/semel/v1/cleanup", "{}", operator);

            assertThat(cleaned.body()).contains("\"status\":\"ended\"");
            assertThat(SharedShop.database()
                            .count("semel_key_history WHERE encode(key_hash, 'hex') = '%s'".formatted(id)))
                    .isZero();
            assertThat(send(shop, "GET", "/semel/v1/cleanup", "", operator).body())
                    .contains("\"every_seconds\":3600");
        }
    }

    @Test
    void theConsoleIsServedNextToTheApi() throws Exception {
        assertThat(send(SharedShop.get(), "GET", "/semel/console/", "", "X-User", "ann")
                        .statusCode())
                .as("off by default")
                .isEqualTo(404);
        try (RunningShop shop =
                RunningShop.start(SharedShop.database(), "semel.admin.enabled=true", "semel.console.enabled=true")) {
            String[] ann = {"X-User", "ann"};
            HttpResponse<String> refused = send(shop, "GET", "/semel/console/", "");
            assertThat(refused.statusCode()).isEqualTo(401);
            assertThat(refused.body()).contains("protect its path");

            HttpResponse<String> page = send(shop, "GET", "/semel/console/", "", ann);

            assertThat(page.statusCode()).isEqualTo(200);
            assertThat(page.headers().firstValue("Content-Type")).hasValue("text/html;charset=utf-8");
            assertThat(page.headers().firstValue("Content-Security-Policy").orElse(""))
                    .contains("default-src 'none'; script-src 'self'");
            assertThat(send(shop, "GET", "/semel/console", "", ann).headers().firstValue("Location"))
                    .hasValue("console/");
            assertThat(send(shop, "GET", "/semel/console/app.js", "", ann).body())
                    .contains("SPDX-License-Identifier");
            assertThat(send(shop, "GET", "/semel/console/none.js", "", ann).statusCode())
                    .isEqualTo(404);
            String etag = page.headers().firstValue("ETag").orElseThrow();
            assertThat(send(shop, "GET", "/semel/console/", "", "X-User", "ann", "If-None-Match", etag)
                            .statusCode())
                    .isEqualTo(304);
            assertThat(send(shop, "GET", "/semel/v1/whoami", "", ann).body())
                    .contains("\"actor\":\"ann\"")
                    .contains("\"operator\":false")
                    .contains("\"features\":[\"keys\",\"stats\",\"cleanup\"]");
            assertThat(send(shop, "GET", "/semel/v1/whoami", "", "X-User", "olga", "X-Role", "SEMEL_OPERATOR")
                            .body())
                    .contains("\"operator\":true");
        }
    }

    @Test
    void theConsoleNeedsTheApi() {
        assertThatThrownBy(() -> RunningShop.start(SharedShop.database(), "semel.console.enabled=true"))
                .rootCause()
                .hasMessageContaining("the admin API, which the console uses, is not enabled");
    }
}

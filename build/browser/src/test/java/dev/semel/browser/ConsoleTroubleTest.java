// SPDX-License-Identifier: Apache-2.0
package dev.semel.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The console when claims change under its user, addresses are nonsense, and the server answers with errors or not at all. */
@Tag("browser")
class ConsoleTroubleTest {
    /** As the server has it. */
    private static final int STREAMS_OF_A_TENANT = 8;

    @RegisterExtension
    private static final ConsoleScene SCENE = ConsoleScene.onServer();

    private ConsolePage console;

    private final ApiCaller api = SCENE.api();

    @BeforeEach
    void open() {
        console = SCENE.open(Screen.LIGHT);
    }

    @Test
    void aClaimThatIsParkedAgainMeanwhileIsNotDecided() {
        String id = api.parked("again", "order-1", "first doubt");
        console.expecting("409").open("key/" + id).showing("again");
        console.button("Fail …").click();
        long fence = api.get("/v1/keys/" + id).number("fence");
        api.post("/v1/keys/" + id + "/release", "{\"fence\":%d,\"reason\":\"once more\"}".formatted(fence));
        api.parked("again", "order-1", "second doubt");
        assertThat(console.page().locator("main")).containsText("second doubt");

        console.dialog().getByLabel("Reason").fill("about the first attempt");
        console.dialog().getByText("Fail it").click();

        assertThat(console.dialog().getByRole(AriaRole.ALERT)).containsText("nothing was changed");
        assertThat(api.get("/v1/keys/" + id).text("status")).isEqualTo("unknown");
        console.clean();
    }

    @Test
    void aResultKeepsTheNumbersThatWereTyped() {
        String id = api.parked("exact", "order-1", "unclear");
        console.open("key/" + id).showing("exact");
        console.button("Succeed …").click();
        console.dialog().getByLabel("Reason").fill("seen at the bank");
        console.dialog().getByLabel("Result (JSON").fill("{\"reference\": 12345678901234567890, \"amount\": 1.10}");
        console.dialog().getByText("Succeed it").click();

        assertThat(console.dialog()).hasCount(0);
        assertThat(api.claim("exact", "order-1", "").raw())
                .contains("12345678901234567890")
                .contains("1.10");
        console.clean();
    }

    /** Chooses all claims of a tenant of its own, and shows the preview. */
    private void previewOf(String tenant, int claims) {
        ApiCaller caller = new ApiCaller(SCENE.server().uri(), Map.of("X-Organization-Id", tenant));
        for (int i = 0; i < claims; i++) {
            caller.parked("bulk", "bulk-" + i, "unclear");
        }
        console.open("keys").showing("Keys");
        Locator chosen = console.page().getByLabel("Tenant (X-Organization-Id)");
        chosen.fill(tenant);
        chosen.press("Enter");
        console.go("Stuck").shows(claims + " parked");
        console.button("Select all " + claims).click();
        console.button("Decide " + claims + " …").click();
        console.dialog().getByLabel("Reason").fill("nobody was charged");
        console.dialog().getByText("Preview").click();
    }

    @Test
    void aBulkDecisionEndsWhenItsScreenIsLeft() {
        Queue<Route> sent = new ConcurrentLinkedQueue<>();
        console.page().route("**/v1/keys/*/release", sent::add);
        previewOf("leaves", 3);
        console.dialog().getByText("Release 3 claims").click();
        console.page().waitForCondition(() -> sent.size() == 1);
        console.page().goBack();
        console.showing("Keys");
        sent.element().resume();

        // Later requests come after the answer of the first.
        console.page().evaluate("async () => { for (let i = 0; i < 5; i++) await fetch('/v1/whoami'); }");
        assertThat(sent).hasSize(1);
        console.clean();
    }

    @Test
    void aDoubleClickNeitherStopsABulkDecisionNorHidesItsOutcome() {
        previewOf("doubles", 3);
        console.dialog().getByText("Release 3 claims").dblclick();

        assertThat(console.dialog()).containsText("3 of 3 decided");
        console.clean();
    }

    @Test
    void claimsThatWereNotReachedAreNotAnnouncedAsDecided() {
        Queue<Route> sent = new ConcurrentLinkedQueue<>();
        console.page().route("**/v1/keys/*/release", sent::add);
        previewOf("stops", 3);
        console.dialog().getByText("Release 3 claims").click();
        console.page().waitForCondition(() -> sent.size() == 1);
        console.dialog().getByText("Stop").click();
        sent.element().resume();

        assertThat(console.dialog()).containsText("1 of 3 decided");
        assertThat(console.dialog().getByText("not decided")).hasCount(2);
        console.clean();
    }

    @Test
    void nothingOfATenantStaysForTheNext() {
        api.succeeded("left.behind", "twin", "{}");
        api.succeeded("left.behind.too", "twin", "{}");
        console.open("keys").showing("Keys");
        console.page().getByLabel("Key or digest").fill("twin");
        console.button("Find").click();
        console.shows("2 claims match");
        console.page().route("**/v1/keys?*", route -> route.fulfill(new Route.FulfillOptions().setStatus(500)));
        Locator chosen = console.expecting("500").page().getByLabel("Tenant (X-Organization-Id)");
        chosen.fill("next");
        chosen.press("Enter");

        console.shows("The server answered with 500");
        assertThat(console.page().locator("main")).not().containsText("left.behind");
        console.clean();
    }

    @Test
    void nothingOfAClaimStaysForTheNext() {
        String first = api.parked("first.claim", "order-1", "unclear");
        String second = api.parked("second.claim", "order-1", "unclear");
        console.expecting("500").open("key/" + first).showing("first.claim");
        console.page().route("**/v1/keys/" + second, route -> route.fulfill(new Route.FulfillOptions().setStatus(500)));
        console.open("key/" + second);

        console.shows("The server answered with 500");
        assertThat(console.page().locator("main")).not().containsText("first.claim");
        console.clean();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"constructor", "__proto__", "toString", "hasOwnProperty/1", "%E0%A4%A", "%00", "//evil.example/"
            })
    void anAddressThatIsNoScreenIsNotFound(String address) {
        console.open(address).showing("Not found").clean();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "key/..",
                "key/.",
                "key/%2e%2e%2f..",
                "webhooks/..",
                "ledger/..",
                "calls/.",
                "key/javascript:alert(1)"
            })
    void anIdThatIsNoneIsReported(String address) {
        console.expecting("4\\d\\d").open(address);
        assertThat(console.page().locator(".notice.bad, .empty").first()).isVisible();
        console.clean();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "keys?status=nonsense",
                "keys?after=nonsense",
                "keys?min_age_seconds=NaN",
                "webhooks?before=x",
                "ledger?before=x"
            })
    void aFilterThatIsNoneIsReported(String address) {
        console.expecting("400").open(address);
        assertThat(console.page().locator(".notice.bad").first()).isVisible();
        console.clean();
    }

    @Test
    void newerLeadsToTheFirstPageIfAPageIsOpenedByItsAddress() {
        ApiCaller many = new ApiCaller(SCENE.server().uri(), Map.of());
        for (int i = 0; i < 51; i++) {
            many.claim("paged", "order-" + i, "");
        }
        String next = many.get("/v1/keys?scope=paged&limit=50").text("next");
        console.open("keys?scope=paged&after=" + next).showing("Keys");
        Locator rows = console.card("All claims").locator("tbody tr");
        assertThat(rows).hasCount(1);
        console.button("← Newer").click();
        assertThat(rows).hasCount(50);
        console.button("Older →").click();
        assertThat(rows).hasCount(1);
        console.button("← Newer").click();
        assertThat(rows).hasCount(50);
        console.clean();
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 429, 500, 503})
    void theOverviewSurvivesErrorsOfTheHealthCheck(int status) {
        console.page()
                .route(
                        "**/health",
                        route -> route.fulfill(new Route.FulfillOptions()
                                .setStatus(status)
                                .setContentType("application/problem+json")
                                .setBody("{\"title\":\"Too many requests\",\"status\":%d}".formatted(status))));
        console.expecting(Integer.toString(status)).open("overview").showing("Overview");
        assertThat(console.card("Health")).containsText("does not answer");
        console.clean();
    }

    @Test
    void theNumbersAreShownIfNoStreamIsFree() throws Exception {
        HttpClient client = HttpClient.newHttpClient();
        List<InputStream> streams = new ArrayList<>();
        try {
            for (int i = 0; i < STREAMS_OF_A_TENANT; i++) {
                HttpRequest request = HttpRequest.newBuilder(
                                URI.create(SCENE.server().uri() + "/v1/stream"))
                        .header("Accept", "text/event-stream")
                        .build();
                streams.add(client.send(request, HttpResponse.BodyHandlers.ofInputStream())
                        .body());
            }
            console.expecting("503").open("overview").showing("Overview").shows("Duplicates prevented");
            assertThat(console.page().locator(".live")).hasText("Live");
            console.clean();
        } finally {
            for (InputStream stream : streams) {
                stream.close();
            }
        }
    }

    @Test
    void aSilentStreamIsNotCalledLive() {
        console.page().clock().install();
        Queue<Route> held = new ConcurrentLinkedQueue<>();
        console.page().route("**/v1/stream", held::add);
        console.open("overview").showing("Overview").shows("Loading");
        console.page().waitForCondition(() -> !held.isEmpty());
        console.page().clock().fastForward(11_000);

        console.shows("The server does not send its numbers");
        console.clean();
    }

    @Test
    void aSessionOfTheApplicationThatHasEndedIsReported() {
        console.open("stuck").showing("Stuck");
        console.page()
                .route(
                        "**/v1/**",
                        route -> route.fulfill(new Route.FulfillOptions()
                                .setStatus(302)
                                .setHeaders(Map.of("Location", SCENE.server().uri() + "/login"))));
        console.button("Refresh").click();

        console.showing("Signed out").shows("load this page again");
        console.page().unroute("**/v1/**");
        console.button("Load again").click();
        console.showing("Stuck").clean();
    }

    @Test
    void commandsNameTheServerAndTheTenant() {
        String id = api.parked("commands", "order-1", "unclear");
        console.open("key/" + id).showing("commands");
        console.shows("./semel keys show %s --url '%s'"
                .formatted(id.substring(0, 12), SCENE.server().uri()));
        Locator chosen = console.page().getByLabel("Tenant (X-Organization-Id)");
        console.open("webhooks").showing("Webhooks");
        chosen.fill("o'neill");
        chosen.press("Enter");
        console.shows("/webhooks/o'\\''neill/paypal'");
        console.clean();
    }
}

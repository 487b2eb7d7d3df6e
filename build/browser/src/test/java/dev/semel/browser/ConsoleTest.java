// SPDX-License-Identifier: Apache-2.0
package dev.semel.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The console in short: every screen, a decision, a viewer, and accessibility. {@code ConsoleScreensTest} tests the rest. */
class ConsoleTest {
    @RegisterExtension
    private static final ConsoleScene SCENE = ConsoleScene.onServer();

    private ConsolePage console;

    private final ApiCaller api = SCENE.api();

    @BeforeEach
    void open() {
        console = SCENE.open(Screen.LIGHT);
    }

    @Test
    void everyScreenShowsItsDataAndNothingGoesWrong() {
        api.succeeded("card.charge", "order-1", "{\"receipt\":\"R-1\",\"total\":1.10}");
        api.claim("card.charge", "order-1", "");
        api.parked("card.charge", "order-2", "no answer");
        api.post("/webhooks/paypal", "{\"id\":\"WH-1\",\"event_type\":\"PAYMENT\",\"resource\":{\"id\":\"x\"}}");
        api.post(
                "/api/ledger/ingest",
                "{\"idempotency_key\":\"sync-1\",\"event\":{\"org_id\":\"default\",\"event_type\":\"invoice.paid\"}}");
        api.post("/api/call-event", "{\"site_id\":\"default\",\"caller\":\"desk\"}");

        console.open("overview")
                .showing("Overview")
                .shows("Duplicates prevented")
                .shows("card.charge");
        assertThat(console.page().locator(".live")).hasText("Live");
        assertThat(console.page().locator(".plot canvas")).isVisible();
        console.accessible();
        console.go("Keys").shows("Find a key");
        assertThat(console.card("All claims").locator("tbody tr")).not().hasCount(0);
        console.accessible();
        console.go("Stuck").shows("parked");
        console.go("Webhooks").shows("PAYMENT");
        console.go("Ledger and calls").shows("invoice.paid");
        console.page().getByText("Call events").first().click();
        console.shows("not verified");
        console.go("System").shows("Settings in effect").shows("SQLite");
        console.clean();
    }

    @Test
    void anOrderIsFoundAndItsParkedClaimResolved() {
        walk(console, api, "order-77");
    }

    /** Given an order number, a person finds the claim, why it is stuck, and decides it. */
    static void walk(ConsolePage console, ApiCaller api, String order) {
        String id = api.parked("invoice.send", order, "the provider did not answer");
        console.open("overview").showing("Overview");
        console.page().keyboard().press("/");
        console.page().getByLabel("Key or digest").fill(order);
        console.button("Find").click();

        console.showing("invoice.send").shows("Nobody knows whether the work happened");
        assertThat(console.page().url()).doesNotContain(order).contains(id);
        console.fits();
        console.button("Release …").click();
        assertThat(console.dialog().getByText("Release it")).isDisabled();
        console.dialog().getByLabel("Reason").fill("the provider never received it");
        console.dialog().getByText("Release it").click();

        assertThat(console.dialog()).hasCount(0);
        console.shows("An operator released it. The next caller runs it again").shows("the provider never received it");
        assertThat(console.card("Life")).not().containsText("Settled");
        assertThat(api.claim("invoice.send", order, "").status()).isEqualTo(201);
        console.clean();
    }

    @Test
    void aDecisionAboutAClaimThatHasMovedOnIsRefused() {
        String id = api.parked("moved", "order-5", "no answer");
        console.expecting("409").open("key/" + id).showing("moved");
        console.button("Fail …").click();
        long fence = api.get("/v1/keys/" + id).number("fence");
        api.post("/v1/keys/" + id + "/release", "{\"fence\":%d,\"reason\":\"first\"}".formatted(fence));
        api.claim("moved", "order-5", "");

        console.dialog().getByLabel("Reason").fill("too late");
        console.dialog().getByText("Fail it").click();

        assertThat(console.dialog().getByRole(AriaRole.ALERT)).containsText("nothing was changed");
        console.clean();
    }

    @Test
    void theChartAgreesWithTheMetrics() {
        for (int i = 0; i < 7; i++) {
            api.succeeded("chart", "first-" + i, "{}");
            api.claim("chart", "first-" + i, "");
        }
        api.failed("charts", "failing", true);
        api.failed("charts", "failing for good", false);
        api.claim("charts", "running", ",\"fingerprint\":\"a\"");
        api.claim("charts", "running", ",\"fingerprint\":\"a\"");
        api.claim("charts", "running", ",\"fingerprint\":\"b\"");
        console.open("overview").showing("Overview");
        Locator row = console.card("Top scopes")
                .locator("tr")
                .filter(new Locator.FilterOptions().setHasText(Pattern.compile("^chart\\d")));

        assertThat(row).containsText("14");
        assertThat(row).containsText("50.0 %");
        String metrics = api.get("/metrics").raw();
        assertThat(metrics)
                .contains("idempotency_miss_total{outcome=\"first\",scope=\"chart\"} 7.0")
                .contains("idempotency_hit_total{outcome=\"succeeded\",scope=\"chart\"} 7.0");
        console.button("Show table").click();
        agrees("Miss", sum(metrics, "idempotency_miss_total"));
        agrees("Hit", sum(metrics, "idempotency_hit_total"));
        agrees("In progress", sum(metrics, "idempotency_in_progress_total"));
        agrees("Conflict", sum(metrics, "idempotency_conflict_total"));
        agrees("Failed", sum(metrics, "idempotency_settled_total\\{outcome=\"(?:failed|retryable)\""));
        console.clean();
    }

    /** Waits until the chart's numbers, which are those of the last ten minutes, are these. */
    private void agrees(String line, long expected) {
        console.page()
                .waitForFunction(
                        "([line, expected]) => [...document.querySelectorAll(`.chart td[data-name=\"${line}\"]`)]"
                                + ".reduce((sum, cell) => sum + Number(cell.textContent), 0) === expected",
                        List.of(line, (int) expected));
    }

    private static long sum(String metrics, String pattern) {
        return Pattern.compile("(?m)^" + pattern + ".* ([0-9.E]+)$")
                .matcher(metrics)
                .results()
                .mapToLong(found -> (long) Double.parseDouble(found.group(found.groupCount())))
                .sum();
    }

    @Test
    void emptyScreensShowTheCommandThatFillsThem() {
        console.open("keys").showing("Keys");
        Locator tenant = console.page().getByLabel("Tenant (X-Organization-Id)");
        tenant.fill("empty tenant");
        tenant.press("Enter");

        console.shows("No claims yet").shows("X-Organization-Id: empty tenant").shows("/v1/claims");
        console.go("Stuck").shows("Nothing is stuck");
        console.go("Webhooks").shows("/webhooks/empty%20tenant/paypal");
        console.go("Ledger and calls").shows("/api/ledger/ingest");
        console.go("System").shows("No decision yet");
        console.go("Overview").shows("No calls in the last minutes");
        console.clean();
    }

    @Test
    void theKeyboardIsEnough() {
        console.open("overview").showing("Overview");
        Page page = console.page();
        page.keyboard().press("?");
        assertThat(console.dialog()).containsText("find a key");
        page.keyboard().press("Escape");
        assertThat(console.dialog()).hasCount(0);
        page.keyboard().press("g");
        page.keyboard().press("s");
        console.showing("Stuck");
        page.keyboard().press("t");
        assertThat(page.locator("html")).hasAttribute("data-theme", "light");
        page.keyboard().press("t");
        assertThat(page.locator("html")).hasAttribute("data-theme", "dark");
        page.keyboard().press("g");
        page.keyboard().press("o");
        console.showing("Overview");
        page.keyboard().press("p");
        assertThat(console.button("Resume")).isVisible();
        console.clean();
    }
}

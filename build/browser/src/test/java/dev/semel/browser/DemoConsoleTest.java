// SPDX-License-Identifier: Apache-2.0
package dev.semel.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.options.AriaRole;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The demo as a newcomer sees it. Leaves pictures of every screen in {@code target/browser/demo}, for people to look at. */
@Tag("browser")
class DemoConsoleTest {
    @RegisterExtension
    private static final ConsoleScene SCENE = ConsoleScene.on(TestBrowser::demo, "/console", Map.of());

    /** The demo parks, changes and abandons the orders of its tour soon after its start. */
    @BeforeAll
    static void awaitTheOrdersOfTheTour() {
        await().atMost(Duration.ofMinutes(2))
                .until(() -> Stream.of("order-1042", "order-1041", "order-1040")
                        .map(order -> SCENE.api().post("/v1/keys/lookup", "{\"key\":\"%s\"}".formatted(order)))
                        .noneMatch(found -> found.list("keys").isEmpty()));
    }

    private static ConsolePage find(Screen screen, String order) {
        ConsolePage console = SCENE.open(screen).open("tour").showing("Tour");
        console.page().keyboard().press("/");
        console.page().getByLabel("Key or digest").fill(order);
        console.button("Find").click();
        return console;
    }

    @Test
    void everyStopOfTheTourLeadsToItsScreen() {
        ConsolePage console = SCENE.open(Screen.LIGHT).open("overview").showing("Overview");
        Locator ribbon = console.page().locator(".ribbon");
        assertThat(ribbon).containsText("Demo.");
        ribbon.getByRole(AriaRole.LINK).click();
        console.showing("Tour").accessible();
        Locator stops = console.page().locator("ol.tour a");
        int count = stops.count();
        for (int i = 0; i < count; i++) {
            stops.nth(i).click();
            assertThat(console.page().locator(".loading")).hasCount(0);
            assertThat(console.page().locator("section.card").first()).isVisible();
            assertThat(ribbon).isVisible();
            console.page().goBack();
            console.showing("Tour");
        }
        console.clean();
    }

    @ParameterizedTest
    @CsvSource({"order-1041, The key was used for another request", "order-1040, attempt 2"})
    void theTourTellsTheTruth(String order, String shown) {
        ConsolePage console = find(Screen.LIGHT, order);
        assertThat(console.page().locator("main"))
                .containsText(shown, new LocatorAssertions.ContainsTextOptions().setTimeout(60_000));
        console.clean();
    }

    @Test
    void aConflictShowsWhereTheRequestsDiffered() {
        await().atMost(Duration.ofMinutes(1))
                .until(() -> order("{\"article\":\"A-1\",\"amount\":1}").status() < 300);
        ApiCaller.Answered refused = order("{\"article\":\"A-1\",\"amount\":2}");
        assertThat(refused.text("type")).endsWith("/mismatch");

        ConsolePage console = find(Screen.LIGHT, "conflicting-order");
        console.shows("The key was used for another request").shows("Differs at:");
        assertThat(console.page().locator(".pointers")).hasText("/amount");
        console.clean();
    }

    /** The service behind the proxy fails now and then. */
    private static ApiCaller.Answered order(String body) {
        return SCENE.api().post("/shop/orders", body, "Idempotency-Key", "\"conflicting-order\"");
    }

    /** The scripted walk: from an order number to its resolution, at phone width. */
    @Test
    void theStuckOrderIsFoundAndReleased() {
        ConsolePage console = find(Screen.PHONE, "order-1042");
        console.showing("payout")
                .shows("Nobody knows whether the work happened")
                .shows("The bank did not answer");
        picture(console, "walk-1-found");
        console.button("Release …").click();
        console.dialog().getByLabel("Reason").fill("the bank has no such payout");
        picture(console, "walk-2-reason");
        console.dialog().getByText("Release it").click();
        assertThat(console.dialog()).hasCount(0);
        console.shows("the bank has no such payout").fits();
        picture(console, "walk-3-released");
        console.clean();
    }

    @ParameterizedTest
    @EnumSource
    void everyScreen(Screen screen) {
        ConsolePage console = SCENE.open(screen);
        for (String address : List.of("tour", "overview", "keys", "stuck", "webhooks", "ledger", "calls", "system")) {
            console.open(address);
            assertThat(console.page().locator("section.card").first()).isVisible();
            assertThat(console.page().locator(".loading")).hasCount(0);
            console.fits();
            picture(console, address + "-" + screen.name().toLowerCase(Locale.ROOT));
        }
        console.clean();
    }

    private static void picture(ConsolePage console, String name) {
        Path file = Path.of(System.getProperty("semel.browser.folder"), "demo", name + ".png");
        console.page().screenshot(new Page.ScreenshotOptions().setPath(file).setFullPage(true));
    }
}

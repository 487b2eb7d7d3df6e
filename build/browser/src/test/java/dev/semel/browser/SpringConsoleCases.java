// SPDX-License-Identifier: Apache-2.0
package dev.semel.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The console in a Spring Boot application, behind its sign-in and its CSRF protection. */
@Tag("browser")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class SpringConsoleCases {
    private static final String OTHER_SITE = """
            async ([path, fence]) => (await fetch(path, {
                method: 'POST',
                headers: {'Content-Type': 'application/json'},
                body: JSON.stringify({fence, reason: 'forged'})
            })).status
            """;

    @RegisterExtension
    final ConsoleScene scene;

    private ConsolePage console;

    SpringConsoleCases(SecuredApplication application) {
        scene = ConsoleScene.on(application::start, "/semel/console", Map.of());
    }

    /** Signs in on the application's own page, to which the console's address leads. */
    private ConsolePage signedIn(String user, Screen screen) {
        console = scene.open(screen).open("overview");
        Page page = console.page();
        page.waitForURL("**/login**");
        page.locator("input[name=username]").fill(user);
        page.locator("input[name=password]").fill(SecuredApplication.PASSWORD);
        page.getByRole(AriaRole.BUTTON).click();
        return console;
    }

    private void find(String order) {
        console.page().keyboard().press("/");
        console.page().getByLabel("Key or digest").fill(order);
        console.button("Find").click();
        console.showing("card.charge").shows("Nobody knows whether the work happened");
    }

    @Test
    void anOperatorFindsAnOrderAndReleasesIt() {
        signedIn("olga", Screen.PHONE).showing("Overview").accessible().fits();
        find("order-1");
        console.button("Release …").click();
        console.dialog().getByLabel("Reason").fill("the bank has no such payment");
        console.dialog().getByText("Release it").click();

        assertThat(console.dialog()).hasCount(0);
        console.shows("The next caller runs it again")
                .shows("by olga")
                .accessible()
                .fits();
        console.clean();
    }

    @Test
    void everyScreenWorks() {
        signedIn("olga", Screen.LIGHT).showing("Overview").shows("Duplicates prevented");
        assertThat(console.page().locator(".live")).hasText("Live");
        console.go("Stuck").shows("parked");
        console.go("Keys").shows("card.charge");
        console.go("System").shows("Audit");
        Locator screens = console.page().getByRole(AriaRole.NAVIGATION, new Page.GetByRoleOptions().setName("Screens"));
        // The application has neither an inbox nor a ledger.
        assertThat(screens).not().containsText("Webhooks");
        assertThat(screens).not().containsText("Ledger");
        console.clean();
    }

    @Test
    void aDecisionWithoutTheCsrfTokenIsRefused() {
        signedIn("olga", Screen.LIGHT).showing("Overview");
        find("order-2");
        String id = console.page().url().replaceAll(".*#/key/", "");
        Object fence = console.page()
                .evaluate("async path => (await (await fetch(path)).json()).fence", "/semel/v1/keys/" + id);

        console.expecting("403");
        Object status = console.page().evaluate(OTHER_SITE, List.of("/semel/v1/keys/" + id + "/release", fence));

        assertThat(status).isEqualTo(403);
        console.page().reload();
        console.showing("card.charge").shows("Nobody knows whether the work happened");
        console.clean();
    }

    @Test
    void aViewerSeesNoButtons() {
        signedIn("victor", Screen.LIGHT).showing("Overview");
        console.go("Stuck").shows("card.charge");
        assertThat(console.page().getByRole(AriaRole.CHECKBOX)).hasCount(0);
        assertThat(console.button("Decide …")).hasCount(0);
        find("order-3");
        console.shows("An operator can decide it");
        for (String decision : new String[] {"Release …", "Fail …", "Succeed …"}) {
            assertThat(console.button(decision)).hasCount(0);
        }
        console.clean();
    }

    @Test
    void anotherUserIsRefusedByTheApplication() {
        signedIn("carl", Screen.LIGHT).expecting("403");

        assertThat(console.page().locator("body")).containsText("403");
        assertThat(console.page().locator("#console")).hasCount(0);
    }

    @Test
    void aSessionThatHasEndedIsReported() {
        signedIn("olga", Screen.LIGHT).showing("Overview");
        console.page().context().clearCookies();
        // Without loading the page. The stream may notice the end first.
        console.page().evaluate("() => { location.hash = '#/keys'; }");

        console.showing("Signed out").shows("load this page again");
        console.button("Load again").click();
        console.page().waitForURL("**/login**");
        console.clean();
    }
}

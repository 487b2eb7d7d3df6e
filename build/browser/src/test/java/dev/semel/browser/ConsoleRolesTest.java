// SPDX-License-Identifier: Apache-2.0
package dev.semel.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.AriaRole;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The console in production: it asks for a token, keeps it in memory only, and shows what its role may do. */
@Tag("browser")
class ConsoleRolesTest {
    private static final String OPERATOR = "token-of-an-operator-0123456789";
    private static final String VIEWER = "token-of-a-viewer-0123456789abc";
    private static final String SEVERAL = "token-of-several-tenants-012345";

    @RegisterExtension
    private static final ConsoleScene SCENE =
            ConsoleScene.on(ConsoleRolesTest::server, "/console", Map.of("Authorization", "Bearer " + OPERATOR));

    private final ApiCaller api = SCENE.api();
    private ConsolePage console;

    private static JvmServer server() throws Exception {
        Path settings = TestBrowser.folder().resolve("semel.yml");
        Files.writeString(settings, """
                secret: "a secret that is long enough for a test of the console"
                tokens:
                  - {sha256: "%s", tenant: acme, actor: olga, role: operator}
                  - {sha256: "%s", tenant: acme, actor: victor, role: viewer}
                  - {sha256: "%s", tenants: [acme, globex], actor: sam, role: operator}
                """.formatted(sha256(OPERATOR), sha256(VIEWER), sha256(SEVERAL)));
        return TestBrowser.server("--production", "--host", "127.0.0.1", "--config", settings.toString());
    }

    private static String sha256(String token) throws Exception {
        return HexFormat.of()
                .formatHex(MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
    }

    private ConsolePage signedIn(String token, String address) {
        console = SCENE.open(Screen.LIGHT).expecting("(401|400)").open(address);
        console.showing("Sign in").accessible();
        console.page().getByLabel("API token").fill(token);
        console.button("Sign in").click();
        return console;
    }

    @Test
    void anOperatorDecidesAndSignsOut() {
        String id = api.parked("card.charge", "order-1", "unclear");
        signedIn(OPERATOR, "key/" + id).showing("card.charge");
        console.button("Release …").click();
        console.dialog().getByLabel("Reason").fill("it was not charged");
        console.dialog().getByText("Release it").click();
        console.shows("by olga");
        assertThat(console.page().locator("nav.main a[href='#/system']")).isVisible();
        console.go("System").shows("it was not charged").shows("actor: olga");
        assertThat(console.page().locator("pre").last()).not().containsText("globex");
        console.button("Sign out").click();
        console.showing("Sign in").clean();
    }

    @Test
    void aViewerSeesNoButtonsThatChangeAnything() {
        String id = api.parked("viewed", "order-2", "unclear");
        signedIn(VIEWER, "key/" + id).showing("viewed").shows("An operator can decide it");
        for (String decision : new String[] {"Release …", "Fail …", "Succeed …"}) {
            assertThat(console.button(decision)).hasCount(0);
        }
        console.go("Stuck").shows("viewed");
        assertThat(console.page().getByRole(AriaRole.CHECKBOX)).hasCount(0);
        assertThat(console.button("Decide …")).hasCount(0);
        console.go("System").shows("For operators");
        assertThat(console.button("Run now")).hasCount(0);
        console.go("Overview").go("Webhooks").go("Ledger and calls").clean();
    }

    @Test
    void aWrongTokenIsRefusedAndNothingIsKept() {
        signedIn("not a token", "overview");
        assertThat(console.page().getByRole(AriaRole.ALERT)).containsText("The token is unknown");
        console.page().getByLabel("API token").fill(OPERATOR);
        console.button("Sign in").click();
        console.showing("Overview");
        assertThat(String.valueOf(console.page()
                        .evaluate("() => JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])")))
                .doesNotContain("token");
        console.page().reload();
        console.showing("Sign in").clean();
    }

    @Test
    void aTokenThatCannotBeSentIsReported() {
        signedIn("to\u2026ken", "overview");
        assertThat(console.page().getByRole(AriaRole.ALERT)).containsText("only ASCII characters");
        console.showing("Sign in").clean();
    }

    @Test
    void aTokenOfSeveralTenantsChoosesOne() {
        api.parked("of.acme", "order-3", "unclear");
        signedIn(SEVERAL, "stuck").showing("Choose a tenant");
        console.page().getByLabel("Tenant").fill("acme");
        console.button("Sign in").click();
        console.showing("Stuck").shows("of.acme");
        Locator tenant = console.page().getByLabel("Tenant (X-Organization-Id)");
        tenant.fill("globex");
        tenant.press("Enter");
        console.shows("Nothing is stuck");
        assertThat(console.page().locator("main")).not().containsText("of.acme");
        console.expecting("(401|400|403)");
        tenant.fill("other");
        tenant.press("Enter");
        console.shows("does not have the tenant");
        assertThat(tenant).hasValue("globex");
        console.clean();
    }
}

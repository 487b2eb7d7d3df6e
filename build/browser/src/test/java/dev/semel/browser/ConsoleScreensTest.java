// SPDX-License-Identifier: Apache-2.0
package dev.semel.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every screen and every action, on a server with 100,000 keys. */
@Tag("browser")
class ConsoleScreensTest {
    private static final int KEYS = 100_000;

    @RegisterExtension
    private static final ConsoleScene SCENE = ConsoleScene.onServer();

    private final ApiCaller api = SCENE.api();
    private ConsolePage console;

    @BeforeAll
    static void start() throws Exception {
        Traffic.manyKeys(SCENE.api(), KEYS);
        settleAll();
        Traffic.ofEverything(SCENE.api(), 40);
    }

    /** In the database, because settling so many over HTTP would take minutes. */
    private static void settleAll() throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + JarServer.database(SCENE.server()));
                Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA busy_timeout = 30000");
            assertThat(statement.executeUpdate(
                            "UPDATE idempotency_keys SET status = 'SUCCEEDED', completed_at = created_at"))
                    .isEqualTo(KEYS);
        }
    }

    private ConsolePage open(Screen screen, String address) {
        console = SCENE.open(screen);
        return console.open(address);
    }

    @ParameterizedTest
    @EnumSource
    void everyScreenIsAccessibleAndFits(Screen screen) {
        String parked =
                api.get("/v1/keys?status=unknown&limit=1").raw().replaceAll(".*?\"id\":\"([0-9a-f]+)\".*", "$1");
        String event = api.get("/v1/inbox?last=1").raw().replaceAll(".*?\"id\":\"([0-9a-f-]+)\".*", "$1");
        open(screen, "overview").showing("Overview").shows("Top scopes");
        assertThat(console.page().locator(".plot canvas")).isVisible();
        console.accessible().fits();
        for (String address : List.of(
                "keys", "key/" + parked, "stuck", "webhooks", "webhooks/" + event, "ledger", "calls", "system")) {
            console.open(address);
            assertThat(console.page().locator(".loading")).hasCount(0);
            assertThat(console.page().locator("section.card").first()).isVisible();
            console.accessible().fits();
        }
        console.open("overview").showing("Overview");
        console.page().keyboard().press("?");
        assertThat(console.dialog()).isVisible();
        console.accessible().fits();
        console.clean();
    }

    @ParameterizedTest
    @EnumSource(names = {"LIGHT", "PHONE"})
    void anOrderIsFoundAndItsParkedClaimResolved(Screen screen) {
        ConsolePage opened = open(screen, "overview");
        opened.showing("Overview");
        ConsoleTest.walk(opened, api, "order-of-" + screen);
        opened.accessible();
    }

    @Test
    void filtersAreInTheAddressAndPagesGoBackAndForth() {
        open(Screen.LIGHT, "keys").showing("Keys");
        Locator rows = console.card("All claims").locator("tbody tr");
        assertThat(rows).hasCount(50);
        String first = rows.first().innerText();
        console.button("Older →").click();
        assertThat(rows.first()).not().hasText(first);
        assertThat(rows).hasCount(50);
        console.button("← Newer").click();
        assertThat(rows.first()).containsText(first.split("\\s+", -1)[1]);

        console.button("Parked").click();
        console.page().waitForURL(Pattern.compile("status=unknown"));
        assertThat(console.card("All claims").locator("tbody .status:not(.unknown)"))
                .hasCount(0);
        console.card("All claims").getByLabel("Scope").fill("card.charge");
        console.card("All claims").getByLabel("Scope").press("Enter");
        console.page().waitForURL(Pattern.compile("scope=card.charge"));
        String address = console.page().url();
        console.page().reload();
        console.showing("Keys");
        assertThat(console.page().url()).isEqualTo(address);
        assertThat(console.card("All claims").getByLabel("Scope")).hasValue("card.charge");
        console.button("Clear filters").click();
        assertThat(rows).hasCount(50);
        console.clean();
    }

    @Test
    void aKeyIsFoundByItsDigestToo() {
        String id = api.succeeded(
                "by.digest", "digest-order", "{\"receipt\":\"R-77\",\"exact\":1.10,\"big\":12345678901234567890}");
        open(Screen.LIGHT, "keys").showing("Keys");
        console.page().getByLabel("Key or digest").fill(id.substring(0, 16));
        console.button("Find").click();

        console.showing("by.digest").shows(id).shows("Succeeded").shows("R-77");
        console.shows("1.10").shows("12345678901234567890");
        console.page()
                .getByText("Keys", new Page.GetByTextOptions().setExact(true))
                .first()
                .click();
        console.page().getByLabel("Key or digest").fill("no such key");
        console.button("Find").click();
        console.shows("Nothing has this key or id");
        console.clean();
    }

    @Test
    void aWebhookIsFoundByWhatLogsShowOfIt() {
        api.post("/webhooks/paypal", "{\"id\":\"WH-found\",\"event_type\":\"FOUND\",\"resource\":{\"id\":\"x\"}}");
        String shown = ((JsonObject) api.get("/v1/inbox?provider=paypal&last=1")
                        .list("events")
                        .get(0))
                .member("key_prefix")
                .map(text -> ((JsonString) text).value())
                .orElseThrow();
        open(Screen.LIGHT, "keys").showing("Keys");
        console.page().getByLabel("Key or digest").fill(shown);
        console.button("Find").click();

        console.shows("1 claim matches").shows("Webhook in the inbox");
        console.page().locator(".records a").click();
        console.showing("FOUND");
        console.clean();
    }

    /** Order numbers must not reach the log of a proxy. */
    @Test
    void aNumberIsNeverPartOfAnAddress() {
        api.post(
                "/api/ledger/ingest",
                "{\"idempotency_key\":\"100200300\",\"event\":{\"org_id\":\"default\",\"event_type\":\"found.by.number\"}}");
        open(Screen.LIGHT, "keys").showing("Keys");
        List<String> addresses = new CopyOnWriteArrayList<>();
        console.page().onRequest(request -> addresses.add(request.url()));
        console.page().getByLabel("Key or digest").fill("987654321");
        console.button("Find").click();
        console.shows("Nothing has this key or id");
        console.page().getByLabel("Key or digest").fill("100200300");
        console.button("Find").click();
        console.shows("Ledger event");

        assertThat(addresses)
                .isNotEmpty()
                .noneMatch(address -> address.contains("987654321"))
                .noneMatch(address -> address.contains("100200300"));
        console.clean();
    }

    @Test
    void aConflictIsShown() {
        String claim =
                api.claim("conflicting", "c-1", ",\"fingerprint\":\"one\"").text("claim_id");
        assertThat(api.claim("conflicting", "c-1", ",\"fingerprint\":\"two\"").status())
                .isEqualTo(409);

        open(Screen.LIGHT, "key/" + claim).showing("conflicting");

        console.shows("Conflict").shows("The key was used for another request");
        console.clean();
    }

    @Test
    void severalClaimsAreDecidedAfterAPreview() {
        for (int i = 0; i < 3; i++) {
            api.parked("bulk", "bulk-" + i, "unclear " + i);
        }
        console = SCENE.open(Screen.LIGHT).expecting("409");
        console.open("stuck").showing("Stuck");
        Locator rows = console.page().locator("tbody tr").filter(new Locator.FilterOptions().setHasText("bulk"));
        assertThat(rows).hasCount(3);
        for (int i = 0; i < 3; i++) {
            rows.nth(i).getByRole(AriaRole.CHECKBOX).check();
        }
        console.button("Decide 3 …").click();
        console.dialog().getByLabel("Fail").check();
        console.dialog().getByLabel("Reason").fill("nobody was charged");
        console.dialog().getByText("Preview").click();
        assertThat(console.dialog().locator("tbody tr")).hasCount(3);
        assertThat(console.dialog()).containsText("Nothing has changed yet");
        // One of them moves on before the decision.
        String moved = api.get("/v1/keys?scope=bulk&limit=1").raw();
        String id = moved.replaceAll(".*?\"id\":\"([0-9a-f]+)\".*", "$1");
        long fence = api.get("/v1/keys/" + id).number("fence");
        api.post("/v1/keys/" + id + "/release", "{\"fence\":%d,\"reason\":\"other\"}".formatted(fence));
        for (int i = 0; i < 3; i++) {
            api.claim("bulk", "bulk-" + i, "");
        }
        console.dialog().getByText("Fail 3 claims").click();

        assertThat(console.dialog()).containsText("2 of 3 decided");
        assertThat(console.dialog()).containsText("Has moved on: unchanged");
        console.dialog().getByText("Done").click();
        console.go("System").shows("nobody was charged");
        console.clean();
    }

    @Test
    void aClaimIsDecidedAsDoneWithAResult() {
        String id = api.parked("decide.done", "d-1", "unclear");
        open(Screen.PHONE, "stuck").showing("Stuck");
        Locator row = console.page().locator("tr").filter(new Locator.FilterOptions().setHasText("decide.done"));
        row.getByText("Decide …").click();
        console.dialog().getByLabel("Succeed").check();
        console.dialog().getByLabel("Reason").fill("the bank has it");
        console.dialog().getByLabel("Result (JSON").fill("{not json");
        console.dialog().getByText("Succeed it").click();
        assertThat(console.dialog().getByRole(AriaRole.ALERT)).containsText("must be JSON");
        console.dialog().getByLabel("Result (JSON").fill("{\"receipt\": \"R-9\"}");
        console.dialog().getByText("Succeed it").click();

        assertThat(console.dialog()).hasCount(0);
        assertThat(api.claim("decide.done", "d-1", "").raw()).contains("R-9");
        console.open("key/" + id)
                .showing("decide.done")
                .shows("Decided: succeeded")
                .shows("R-9");
        console.clean();
    }

    @Test
    void anEventIsProcessedAgainOnPurpose() {
        open(Screen.LIGHT, "webhooks").showing("Webhooks");
        Locator replayed =
                console.card("By provider").locator("tr").filter(new Locator.FilterOptions().setHasText("paypal"));
        assertThat(replayed).isVisible();
        console.card("Inbox").getByRole(AriaRole.LINK).first().click();
        console.button("Process again …").click();
        console.dialog().getByLabel("Reason").fill("the consumer lost it");
        console.dialog().getByText("Process it again").click();

        console.showing("Webhooks").shows("Processed again");
        console.card("Inbox").getByLabel("Provider").fill("none");
        console.card("Inbox").getByLabel("Provider").press("Enter");
        console.shows("No event matches");
        console.clean();
    }

    @Test
    void ledgerEventsAreFoundByKeyAndCallsById() {
        String event = api.post(
                        "/api/ledger/ingest",
                        "{\"idempotency_key\":\"find me\",\"event\":{\"org_id\":\"default\",\"event_type\":\"found.by.key\"}}")
                .text("id");
        String call = api.post("/api/call-event", "{\"site_id\":\"default\",\"caller\":\"the front desk\"}")
                .text("call_id");
        console = SCENE.open(Screen.LIGHT).expecting("404");
        console.open("ledger").shows("found.by.key");
        console.page().getByLabel("Idempotency key or event id").fill("find me");
        console.button("Find").click();
        console.shows(event);
        console.page().getByLabel("Idempotency key or event id").fill("not there");
        console.button("Find").click();
        console.shows("Nothing has this key or id");
        console.open("calls").shows("the front desk");
        console.page().getByLabel("Call id").fill(call);
        console.button("Find").click();
        console.shows(call);
        console.card("Latest").getByRole(AriaRole.LINK).first().click();
        console.page().waitForURL(Pattern.compile("#/calls/[0-9a-f-]{36}"));
        console.shows("site_id");
        console.clean();
    }

    @Test
    void theCleanupRunsAndTheDoctorAnswers() {
        open(Screen.LIGHT, "system").showing("System").shows("No findings");
        console.button("Dry run").click();
        console.shows("A run would delete");
        console.button("Run now").click();
        console.shows("claims deleted");
        console.shows("idempotency_hours");
        console.clean();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<img src=x onerror=alert(1)>",
                "\"'><script>alert(2)</script>",
                "${alert(3)} {{4}} javascript:alert(5)",
                "\u202eright to left \u05e9\u05dc\u05d5\u05dd",
                "emoji \ud83d\udc69\u200d\ud83d\udcbb \ud83c\uddec\ud83c\udde7",
                "longest"
            })
    void hostileTextsAreShownAsText(String text) {
        String hostile = text.equals("longest") ? "k".repeat(1_024) : text;
        String tenant = hostile.length() > 200 ? "t".repeat(200) : hostile;
        String json = ApiCaller.quoted(hostile);
        String start = json.substring(1, Math.min(20, json.length() - 1));
        open(Screen.LIGHT, "keys").showing("Keys");
        Locator chosen = console.page().getByLabel("Tenant (X-Organization-Id)");
        chosen.fill(tenant);
        chosen.press("Enter");
        console.shows("No claims yet");
        // As the browser sends it: the header has UTF-8 bytes.
        Object made = console.page()
                .evaluate(
                        "async ([tenant, text]) => { const headers = {'Content-Type': 'application/json',"
                                + " 'X-Organization-Id': String.fromCharCode(...new TextEncoder().encode(tenant))};"
                                + " const post = async (path, body) => (await fetch(path, {method: 'POST', headers, body: JSON.stringify(body)})).json();"
                                + " const claim = await post('/v1/claims', {scope: tenant, key: text});"
                                + " await post(`/v1/claims/${claim.claim_id}/succeed`, {token: claim.token, result: {[text]: text}});"
                                + " const stuck = await post('/v1/claims', {scope: tenant, key: 'stuck'});"
                                + " await post(`/v1/claims/${stuck.claim_id}/park`, {token: stuck.token, reason: text.slice(0, 200)});"
                                + " await post('/api/ledger/ingest', {idempotency_key: text, event: {org_id: tenant, event_type: tenant, payload: {[text]: text}}});"
                                + " await post('/api/call-event', {site_id: tenant, text});"
                                + " await post(`/webhooks/${encodeURIComponent(tenant)}/paypal`, {id: 'WH', event_type: tenant, resource: {id: 'r', text}});"
                                + " return claim.claim_id; }",
                        List.of(tenant, hostile));
        console.page().getByLabel("Key or digest").fill(hostile);
        console.button("Find").click();
        // The ledger event has the same key.
        console.shows("1 claim matches").shows("Ledger event").fits();
        console.card("Find a key").getByRole(AriaRole.LINK).first().click();
        console.showing(tenant).shows((String) made);
        assertThat(console.page().locator("pre.json")).containsText(start);
        console.fits();
        console.go("Stuck").shows("1 parked").fits();
        assertThat(console.page().locator("td bdi").first()).hasText(tenant);
        console.go("Webhooks").fits();
        console.card("Inbox").getByRole(AriaRole.LINK).first().click();
        assertThat(console.page().locator("pre.json")).containsText(start);
        console.fits();
        console.go("Ledger and calls").shows(tenant).fits();
        console.open("calls").fits();
        console.go("System").fits();
        console.go("Overview").shows(tenant).fits();
        assertThat(console.page().locator("main img, main script, main iframe")).hasCount(0);
        console.clean();
    }
}

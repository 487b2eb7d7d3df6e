// SPDX-License-Identifier: Apache-2.0
package dev.semel.browser;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.ReducedMotion;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Takes the pictures in {@code docs/pictures}: {@code ./semel pictures}. */
final class Pictures {
    /** So long that the chart has a shape. */
    private static final Duration SHOWN = Duration.ofSeconds(150);

    private static final Pattern ID = Pattern.compile("\"id\":\"([0-9a-f]{64})\"");

    private final Browser browser;
    private final URI server;
    private final Path folder;

    private Pictures(Browser browser, URI server, Path folder) {
        this.browser = browser;
        this.server = server;
        this.folder = folder;
    }

    /** The first argument is the URL of a running server. Without it, the demo is started. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path home = Path.of(System.getProperty("semel.home", "."));
        Path program = ChromiumProgram.find(System.getenv())
                .orElseThrow(() -> new IllegalStateException("Set SEMEL_CHROMIUM, or install chromium"));
        Path folder = Files.createDirectories(home.resolve("docs/pictures"));
        try (Playwright playwright = ChromiumProgram.driver();
                Browser browser = ChromiumProgram.launch(playwright, program)) {
            if (arguments.length > 0) {
                new Pictures(browser, URI.create(arguments[0]), folder).take();
                return;
            }
            Path log = home.resolve("build/browser/target/pictures");
            try (JvmServer demo = JarServer.demo(home.resolve("server/target/semel-server.jar"), log)) {
                new CountDownLatch(1).await(SHOWN.toMillis(), TimeUnit.MILLISECONDS);
                new Pictures(browser, demo.uri(), folder).take();
            }
        }
    }

    /** The order that the demo asks its users to find, otherwise the latest parked claim. */
    private String parked() {
        ApiCaller api = new ApiCaller(server, Map.of());
        return Stream.of(
                        api.post("/v1/keys/lookup", "{\"key\":\"order-1042\"}"),
                        api.get("/v1/keys?status=unknown&limit=1"))
                .flatMap(found -> ID.matcher(found.raw()).results())
                .map(id -> id.group(1))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("There is no parked claim to show"));
    }

    private void take() {
        String parked = parked();
        try (BrowserContext light = context(1280, 800, ColorScheme.LIGHT)) {
            picture(light, "overview", "overview");
            picture(light, "key/" + parked, "key");
            picture(light, "stuck", "stuck");
            picture(light, "webhooks", "webhooks");
        }
        try (BrowserContext dark = context(1280, 800, ColorScheme.DARK)) {
            picture(dark, "overview", "overview-dark");
        }
        try (BrowserContext phone = context(390, 844, ColorScheme.LIGHT)) {
            picture(phone, "key/" + parked, "key-phone");
        }
    }

    private BrowserContext context(int width, int height, ColorScheme colors) {
        return browser.newContext(new Browser.NewContextOptions()
                .setViewportSize(width, height)
                .setColorScheme(colors)
                .setReducedMotion(ReducedMotion.REDUCE));
    }

    private void picture(BrowserContext context, String address, String name) {
        try (Page page = context.newPage()) {
            page.navigate(server + "/console/#/" + address);
            page.locator("main section.card").first().waitFor();
            page.waitForFunction("() => document.querySelector('main .loading') === null"
                    + " && ![...document.querySelectorAll('.tile .value')].some(tile => tile.textContent === '…')");
            page.screenshot(new Page.ScreenshotOptions().setPath(folder.resolve(name + ".png")));
            System.out.println(folder.resolve(name + ".png"));
        }
    }
}

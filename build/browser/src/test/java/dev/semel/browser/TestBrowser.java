// SPDX-License-Identifier: Apache-2.0
package dev.semel.browser;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Playwright;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Assumptions;

/** One browser for the tests of a class. Without one, tests are skipped loudly, or fail if a browser is required. */
final class TestBrowser implements AutoCloseable {
    private final Playwright playwright;
    private final Browser browser;

    private TestBrowser(Playwright playwright, Browser browser) {
        this.playwright = playwright;
        this.browser = browser;
    }

    static TestBrowser launch() {
        Optional<Path> program = ChromiumProgram.find(System.getenv());
        if (program.isEmpty()) {
            String missing = "NO BROWSER: the console was not tested. Set SEMEL_CHROMIUM, or install chromium";
            if (Boolean.getBoolean("semel.browser.required")) {
                throw new AssertionError(missing);
            }
            System.out.printf("%n[WARNING] %s%n%n", missing);
            Assumptions.abort(missing);
        }
        Playwright playwright = ChromiumProgram.driver();
        return new TestBrowser(playwright, ChromiumProgram.launch(playwright, program.get()));
    }

    /** A server of its own. */
    static JvmServer server(String... options) throws IOException, InterruptedException {
        return JarServer.start(jar(), folder(), List.of(options));
    }

    static JvmServer demo() throws IOException, InterruptedException {
        return JarServer.demo(jar(), folder());
    }

    private static Path jar() {
        return Path.of(System.getProperty("semel.server.jar"));
    }

    /** A new folder for files of a test. */
    static Path folder() throws IOException {
        Path folder = Path.of(
                System.getProperty("semel.browser.folder"), UUID.randomUUID().toString());
        return Files.createDirectories(folder);
    }

    /**
     * A page in a context of its own, with nothing kept from before.
     *
     * @param path that of the console, without a slash at the end
     */
    ConsolePage open(URI server, String path, Screen screen) {
        return new ConsolePage(browser.newContext(screen.options()), server, path);
    }

    @Override
    public void close() {
        browser.close();
        playwright.close();
    }
}

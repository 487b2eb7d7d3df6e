// SPDX-License-Identifier: Apache-2.0
package dev.semel.browser;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Playwright;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds a Chromium on this machine: {@code SEMEL_CHROMIUM}, or a well-known name on the PATH. Nothing is downloaded. */
final class ChromiumProgram {
    private static final List<String> NAMES =
            List.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable");

    private ChromiumProgram() {}

    static Optional<Path> find(Map<String, String> environment) {
        String chosen = environment.getOrDefault("SEMEL_CHROMIUM", "");
        if (!chosen.isEmpty()) {
            return Optional.of(Path.of(chosen));
        }
        return NAMES.stream()
                .flatMap(name -> folders(environment).map(folder -> folder.resolve(name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    private static Stream<Path> folders(Map<String, String> environment) {
        return Stream.of(environment.getOrDefault("PATH", "").split(File.pathSeparator, -1))
                .filter(folder -> !folder.isEmpty())
                .map(Path::of);
    }

    /** Starts Playwright's driver, which must not download a browser of its own. */
    static Playwright driver() {
        return Playwright.create(
                new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
    }

    static Browser launch(Playwright playwright, Path program) {
        return playwright
                .chromium()
                .launch(new BrowserType.LaunchOptions()
                        .setExecutablePath(program)
                        // The sandbox does not work for root, or in most containers. Only our own pages are opened.
                        .setArgs(List.of("--no-sandbox", "--disable-dev-shm-usage")));
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConsoleFilesTest {
    /** What would write HTML, run text as a script, or load something from elsewhere. */
    private static final Pattern DANGEROUS = Pattern.compile(
            "innerHTML|outerHTML|insertAdjacentHTML|document\\.write|dangerously|\\beval\\(|new Function|setAttribute|"
                    + "https?://|localStorage\\.setItem\\('(?!semel-theme)|sessionStorage");

    private static final Pattern IMPORTED =
            Pattern.compile("(?m)^(?:import|export)[^;'\"]*from\\s*['\"]([^'\"]+)['\"]");

    private final ConsoleFiles files = ConsoleFiles.load();

    @Test
    void everyFileIsServed() throws IOException, URISyntaxException {
        URL folder = Objects.requireNonNull(ConsoleFiles.class.getResource("files/index.html"));
        try (Stream<Path> found = Files.list(Path.of(folder.toURI()).getParent())) {
            List<String> names =
                    found.map(file -> file.getFileName().toString()).sorted().toList();
            assertThat(ConsoleFiles.NAMES).containsExactlyInAnyOrderElementsOf(names);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "..", "../ConsoleFiles.class", "files/app.js", "app.js/", "APP.JS", "META-INF/MANIFEST.MF"})
    void otherNamesAreUnknown(String name) {
        assertThat(files.find(name)).isEmpty();
    }

    @Test
    void theTypesAreThoseOfBrowsers() {
        assertThat(files.page().contentType()).isEqualTo("text/html; charset=utf-8");
        assertThat(files.find("app.js").orElseThrow().contentType()).isEqualTo("text/javascript; charset=utf-8");
        assertThat(files.find("console.css").orElseThrow().contentType()).isEqualTo("text/css; charset=utf-8");
        assertThat(files.find("icon.svg").orElseThrow().contentType()).isEqualTo("image/svg+xml");
    }

    @Test
    void aKnownTagNeedsNoContent() {
        ConsoleFile page = files.page();

        assertThat(page.matches(page.etag())).isTrue();
        assertThat(page.matches("W/" + page.etag())).isTrue();
        assertThat(page.matches("\"other\", " + page.etag())).isTrue();
        assertThat(page.matches("\"other\"")).isFalse();
        assertThat(page.etag()).isNotEqualTo(files.find("app.js").orElseThrow().etag());
    }

    @Test
    void thePolicyAllowsNothingInlineAndNothingFromElsewhere() {
        assertThat(files.page().headers().get("Content-Security-Policy"))
                .startsWith("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'")
                .contains("frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'")
                .doesNotContain("unsafe", "http", "data:", "*");
    }

    @Test
    void ourScriptsWriteNoHtml() {
        ConsoleFiles.NAMES.stream()
                .filter(name -> name.endsWith(".js") && !name.startsWith("vendor-"))
                .forEach(name -> assertThat(DANGEROUS.matcher(text(name)).results())
                        .as(name)
                        .isEmpty());
    }

    @Test
    void thePageHasNothingInline() {
        assertThat(text("index.html")).doesNotContain("<style", "style=", "onload", "javascript:");
        assertThat(Pattern.compile("<script(?![^>]* src=)")
                        .matcher(text("index.html"))
                        .results())
                .isEmpty();
    }

    @Test
    void everyImportIsServed() {
        ConsoleFiles.NAMES.stream()
                .filter(name -> name.endsWith(".js"))
                .forEach(name -> IMPORTED.matcher(text(name)).results().forEach(found -> {
                    assertThat(found.group(1)).as(name).startsWith("./");
                    assertThat(ConsoleFiles.NAMES)
                            .as(name)
                            .contains(found.group(1).substring(2));
                }));
    }

    private String text(String name) {
        return new String(files.find(name).orElseThrow().content(), StandardCharsets.UTF_8);
    }
}

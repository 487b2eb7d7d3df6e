// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.function.Predicate;
import java.util.jar.JarFile;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The server's jar contains the licence and notice texts of everything that it bundles. */
class LicencesTest {
    private static final String FOLDER = "META-INF/licenses/";
    /** A line of the dependency plugin: group:artifact:jar:version:scope. */
    private static final Pattern LISTED = Pattern.compile("(?m)^ +([^:\\s]+):([^:]+):jar:([^:]+):(?:compile|runtime)");

    /** These licences require the artifact's own copyright notice, so a shared text is not enough. */
    private static final Set<String> WITH_NOTICE = Set.of("MIT", "BSD-2-Clause", "BSD-3-Clause");

    private static JarFile jar;

    @BeforeAll
    static void open() throws IOException {
        jar = new JarFile(Path.of(System.getProperty("semel.server.jar")).toFile());
    }

    @AfterAll
    static void close() throws IOException {
        jar.close();
    }

    @Test
    void everyBundledArtifactIsListedWithItsLicence() throws IOException {
        assertThat(licences().keySet()).containsExactlyInAnyOrderElementsOf(bundled());
        assertThat(licences().values())
                .allSatisfy(licences -> assertThat(licences)
                        .isNotEmpty()
                        .allSatisfy(licence -> assertThat(licence).matches("[A-Za-z0-9.-]+")));
    }

    /** Most artifacts have their coordinates in the jar itself, independently of the list. */
    @Test
    void everyArtifactThatTheJarNamesIsListed() throws IOException {
        List<String> named = entries(name -> name.matches("META-INF/maven/.*/pom\\.properties"))
                .map(LicencesTest::coordinates)
                .filter(name -> !name.startsWith("dev.semel:"))
                .toList();

        assertThat(named).hasSizeGreaterThan(20);
        assertThat(withoutVersions()).containsAll(named);
    }

    @Test
    void everyLicenceHasItsText() throws IOException {
        licences().forEach((artifact, licences) -> {
            String name = artifact.split(":", -1)[1];
            boolean own = entries(entry -> entry.matches(FOLDER + Pattern.quote(name) + "(-jar)?/.*[^/]"))
                    .findAny()
                    .isPresent();
            assertThat(own || licences.stream().allMatch(LicencesTest::hasText))
                    .as("%s (%s) has a licence text", artifact, licences)
                    .isTrue();
        });
    }

    @Test
    void scriptsOfTheConsoleAreListedWithTheirLicences() {
        for (String script : List.of("preact", "htm", "@preact/signals-core", "uplot")) {
            assertThat(text(FOLDER + "THIRD-PARTY.txt")).contains("npm:" + script + " | ");
            assertThat(text(FOLDER + script.replaceFirst(".*/", "") + "/LICENSE"))
                    .contains("License");
        }
    }

    @Test
    void noticesAreKept() {
        assertThat(text(FOLDER + "jackson-core-jar/META-INF/NOTICE")).contains("Jackson");
        assertThat(text(FOLDER + "netty/NOTICE.txt")).contains("The Netty Project");
        assertThat(text("META-INF/LICENSE")).contains("Apache License");
    }

    private static boolean hasText(String licence) {
        String text = FOLDER + "texts/" + licence.replaceFirst("-(only|or-later)$", "") + ".txt";
        return !WITH_NOTICE.contains(licence) && jar.getEntry(text) != null;
    }

    private static List<String> bundled() throws IOException {
        String list = Files.readString(Path.of(System.getProperty("semel.server.artifacts")));
        List<String> bundled = LISTED.matcher(list)
                .results()
                .map(found -> found.group(1) + ":" + found.group(2) + ":" + found.group(3))
                .toList();
        assertThat(bundled).hasSizeGreaterThan(30);
        return bundled;
    }

    /** Includes artifacts that are bundled in other artifacts, which are listed by hand. */
    private static List<String> withoutVersions() {
        return Pattern.compile("(?m)^([^:\\s]+:[^:\\s]+)(:\\S+)? \\| [A-Z]")
                .matcher(text(FOLDER + "THIRD-PARTY.txt"))
                .results()
                .map(line -> line.group(1))
                .toList();
    }

    private static Map<String, List<String>> licences() {
        return Pattern.compile("(?m)^(\\S+:\\S+:\\S+) \\| (.*) \\| .*$")
                .matcher(text(FOLDER + "THIRD-PARTY.txt"))
                .results()
                .collect(Collectors.toMap(line -> line.group(1), LicencesTest::names));
    }

    private static List<String> names(MatchResult line) {
        return List.of(line.group(2).split(", ", -1));
    }

    private static String coordinates(String entry) {
        Properties properties = new Properties();
        try (var in = jar.getInputStream(jar.getEntry(entry))) {
            properties.load(in);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return properties.getProperty("groupId") + ":" + properties.getProperty("artifactId");
    }

    private static Stream<String> entries(Predicate<String> which) {
        return jar.stream().map(ZipEntry::getName).filter(which);
    }

    private static String text(String entry) {
        assertThat(jar.getEntry(entry)).as(entry).isNotNull();
        try (var in = jar.getInputStream(jar.getEntry(entry))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}

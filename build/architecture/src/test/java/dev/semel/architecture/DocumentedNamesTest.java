// SPDX-License-Identifier: Apache-2.0
package dev.semel.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The documents for contributors name classes and folders that exist. */
class DocumentedNamesTest {
    /** A class, alone or with a member: `Provider`, `Provider.keys`. Constants in capitals are not meant. */
    private static final Pattern CLASS = Pattern.compile("`([A-Z]\\w*[a-z]\\w*)(?:\\.\\w+(?:\\(\\.*\\))?)*`");

    private static final Pattern FOLDER = Pattern.compile("`([a-z]+/(?:[a-z]+/)*)`");

    /** Classes whose file has another name. */
    private static final Set<String> NOT_FILES = Set.of("StripeFuzz");

    @ParameterizedTest
    @ValueSource(strings = {"ARCHITECTURE.md", "CONTRIBUTING.md", "docs/glossary.md"})
    void everyNameExists(String document) throws IOException {
        String text = Files.readString(SourceFiles.ROOT.resolve(document));
        Set<String> existing = SourceFiles.below(SourceFiles.ROOT).stream()
                .map(SourceFiles::className)
                .collect(Collectors.toSet());
        existing.addAll(NOT_FILES);

        assertThat(unknown(text, existing)).as("classes named in %s", document).isEmpty();
        assertThat(names(FOLDER, text))
                .as("folders named in %s", document)
                // The build creates it.
                .filteredOn(folder -> !folder.startsWith("target"))
                .allMatch(folder -> Files.isDirectory(SourceFiles.ROOT.resolve(folder)));
    }

    @Test
    void theRuleCanFail() {
        assertThat(unknown("`Gone` and `Gone.member` and `Here` and `INSERT`", Set.of("Here")))
                .containsExactly("Gone");
    }

    private static List<String> unknown(String text, Set<String> existing) {
        return names(CLASS, text).stream()
                .filter(name -> !existing.contains(name))
                .toList();
    }

    private static List<String> names(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map(match -> match.group(1))
                .distinct()
                .toList();
    }
}

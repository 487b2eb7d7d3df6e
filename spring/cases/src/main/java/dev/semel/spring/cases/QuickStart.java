// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.cases;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * The quick start of docs/spring.md.
 *
 * @param dependency one line of Gradle
 * @param properties lines of application.properties
 * @param code a class without its imports
 */
record QuickStart(List<String> dependency, List<String> properties, List<String> code) {
    private static final Path DOCUMENT = Path.of("..", "..", "docs", "spring.md");

    static QuickStart read() throws IOException {
        String document = Files.readString(DOCUMENT);
        int begin = document.indexOf("\n## Quick start\n");
        String section = document.substring(begin, document.indexOf("\n## ", begin + 1));
        return new QuickStart(block(section, "groovy"), block(section, "properties"), block(section, "java"));
    }

    private static List<String> block(String section, String language) {
        List<String> blocks = Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL)
                .matcher(section)
                .results()
                .map((MatchResult found) -> found.group(1))
                .toList();
        if (blocks.size() != 1) {
            throw new IllegalStateException(
                    "The quick start must have one block in %s, but has %d".formatted(language, blocks.size()));
        }
        return blocks.get(0).lines().filter(line -> !line.isBlank()).toList();
    }

    int lines() {
        return dependency.size() + properties.size() + code.size();
    }
}

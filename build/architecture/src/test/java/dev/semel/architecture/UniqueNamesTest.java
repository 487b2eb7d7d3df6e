// SPDX-License-Identifier: Apache-2.0
package dev.semel.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** One name, one thing: no two top-level classes of the main source trees have the same simple name. */
class UniqueNamesTest {
    /** Names that may stand twice, each with the reason. */
    private static final Map<String, String> ALLOWED = Map.of(
            "JacksonCodec",
            "one for Jackson 2 and one for Jackson 3: an application changes its import and nothing else");

    private static final Set<String> DESCRIPTORS = Set.of("package-info", "module-info");

    @Test
    void noTwoClassesShareAName() throws IOException {
        List<Path> files = SourceFiles.below(SourceFiles.ROOT).stream()
                .filter(file -> file.toString().contains("/src/main/java/"))
                .map(SourceFiles.ROOT::relativize)
                .toList();

        assertThat(files).hasSizeGreaterThan(400);
        assertThat(shared(files)).as("classes to rename").isEmpty();
    }

    @Test
    void theRuleCanFail() {
        Path one = Path.of("core/src/main/java/dev/semel/Replay.java");
        Path other = Path.of("http/src/main/java/dev/semel/http/Replay.java");
        Path descriptor = Path.of("core/src/main/java/dev/semel/package-info.java");
        Path again = Path.of("http/src/main/java/dev/semel/http/package-info.java");

        assertThat(shared(List.of(one, other, descriptor, again))).isEqualTo(Map.of("Replay", List.of(one, other)));
    }

    private static Map<String, List<Path>> shared(List<Path> files) {
        Map<String, List<Path>> byName = files.stream()
                .filter(file -> !DESCRIPTORS.contains(SourceFiles.className(file)))
                .collect(Collectors.groupingBy(SourceFiles::className, TreeMap::new, Collectors.toList()));
        byName.keySet().removeAll(ALLOWED.keySet());
        byName.values().removeIf(same -> same.size() == 1);
        return byName;
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** {@code docs/failures.md} and the tests named {@code rowNN_...} agree. */
class FailureListTest {
    private static final String TABLE = """
            | # | situation | what happens | tests |
            |---|---|---|---|
            | 7 | a leak | none | `LeakTest`, `GoneTest` |
            | 13a | a lock | none | `LockTest` |
            """;

    @Test
    void everyRowTestIsListed() throws IOException {
        FailureList list = list();
        List<String> unlisted = new ArrayList<>();
        for (Path file : SourceFiles.below(SourceFiles.ROOT)) {
            if (!SourceFiles.className(file).startsWith("FailureList")) {
                unlisted.addAll(list.unlisted(SourceFiles.className(file), Files.readString(file)));
            }
        }

        assertThat(unlisted).as("tests to add to docs/failures.md").isEmpty();
    }

    @Test
    void everyListedTestExists() throws IOException {
        Set<String> existing = SourceFiles.below(SourceFiles.ROOT).stream()
                .map(SourceFiles::className)
                .collect(Collectors.toSet());

        assertThat(list().missing(existing))
                .as("classes in docs/failures.md that do not exist")
                .isEmpty();
        assertThat(list().size()).isEqualTo(46);
    }

    @Test
    void theRuleCanFail() {
        FailureList list = new FailureList(TABLE);

        assertThat(list.missing(Set.of("LeakTest", "LockTest"))).containsExactly("GoneTest");
        assertThat(list.unlisted("LeakTest", "void row07_leaks() {}")).isEmpty();
        assertThat(list.unlisted("LockTest", "void row13a_locks() {} void row07_row13a_both() {}"))
                .containsExactly("row 7: LockTest");
        assertThat(list.unlisted("LeakTest", "void row08_new() {}")).containsExactly("row 8: LeakTest");
        assertThatThrownBy(() -> new FailureList(TABLE + "| 7 | again | none | `LeakTest` |\n"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static FailureList list() throws IOException {
        return new FailureList(Files.readString(SourceFiles.ROOT.resolve("docs/failures.md")));
    }
}

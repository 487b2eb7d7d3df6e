// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.benchmarks.Catalog.Entry;
import dev.semel.benchmarks.Catalog.When;
import dev.semel.benchmarks.Paired.Effort;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchOptionsTest {
    @Test
    void withoutNamesASelectionRunsThatEndsInMinutes() {
        BenchOptions options = BenchOptions.of();
        assertThat(options.chosen()).isNotEmpty().allMatch(entry -> entry.when() == When.ALWAYS);
        assertThat(Catalog.expected(options.chosen(), Effort.USUAL)).isLessThan(Duration.ofMinutes(13));
        assertThat(Catalog.expected(options.chosen(), Effort.QUICK)).isLessThan(Duration.ofMinutes(4));
        assertThat(options.whole()).isFalse();
    }

    @Test
    void moreRunsOnRequest() {
        assertThat(names(BenchOptions.of("--all"))).contains("postgres", "rows").doesNotContain("large");
        assertThat(names(BenchOptions.of("--large")))
                .hasSize(Catalog.ALL.size() - 2)
                .doesNotContain("mysql", "costs-mysql");
        assertThat(BenchOptions.of("--large").whole()).isTrue();
        assertThat(names(BenchOptions.of("sqlite", "mysql"))).containsExactly("sqlite", "mysql");
    }

    @Test
    void effortAndFileAreChosen() {
        BenchOptions options = BenchOptions.of("--quick", "--rounds", "9", "--results", "r.md", "single");
        assertThat(options.effort()).isEqualTo(Effort.QUICK.withRounds(9));
        assertThat(options.results()).isEqualTo(Path.of("r.md"));
    }

    @Test
    void anEarlierJarRunsAlone(@TempDir Path folder) throws Exception {
        String jar = Files.createFile(folder.resolve("earlier.jar")).toString();
        assertThat(names(BenchOptions.of("--before", jar))).containsExactly("http-before");
        assertThatThrownBy(() -> BenchOptions.of("--before", jar, "single")).hasMessageContaining("runs alone");
        assertThatThrownBy(() ->
                        BenchOptions.of("--before", folder.resolve("none.jar").toString()))
                .hasMessageContaining("there is no file");
    }

    @Test
    void wrongUsageIsExplained() {
        assertThatThrownBy(() -> BenchOptions.of("--fast"))
                .hasMessageContainingAll("Unknown benchmark or option '--fast'", "postgres", "mysql")
                .hasMessageNotContaining("--rounds");
        assertThatThrownBy(() -> BenchOptions.of("--rounds")).hasMessage("--rounds needs a value");
        assertThatThrownBy(() -> BenchOptions.of("--rounds", "0")).hasMessageContaining("from 1 to 999");
    }

    @Test
    void namesExcludeASelection() {
        assertThatThrownBy(() -> BenchOptions.of("--all", "postgres")).hasMessage("--all and names exclude each other");
        assertThatThrownBy(() -> BenchOptions.of("postgres", "--large"))
                .hasMessage("--large and names exclude each other");
        assertThat(names(BenchOptions.of("--large", "--all"))).contains("large");
    }

    @Test
    void aQuickRunIsNoWholeRun() {
        assertThat(BenchOptions.of("--large", "--quick").whole()).isFalse();
        assertThat(BenchOptions.of("--large", "--quick", "--rounds", "9").whole())
                .isFalse();
    }

    @Test
    void theHelpNamesEveryBenchmark() {
        assertThat(BenchOptions.of("--help").help()).isTrue();
        assertThat(BenchOptions.usage())
                .contains(names(BenchOptions.of("--large")))
                .contains("Only by name", "mysql")
                .contains("--before JAR", "--rounds N", " min");
    }

    @Test
    void theBarWaitsForALateBenchmarkAndSkipsTheRestOfAnEarlyOne() {
        Progress.Position position = new Progress.Position();
        position.next(Duration.ofSeconds(2));
        assertThat(List.of(position.second(), position.second(), position.second(), position.second()))
                .containsExactly(0L, 1L, 1L, 1L);
        position.next(Duration.ofSeconds(10));
        assertThat(position.second()).isEqualTo(2);
        position.finish();
        assertThat(position.second()).isEqualTo(12);
    }

    private static List<String> names(BenchOptions options) {
        return options.chosen().stream().map(Entry::name).toList();
    }
}

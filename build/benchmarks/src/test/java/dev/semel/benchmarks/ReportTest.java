// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.benchmarks.Paired.Effort;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReportTest {
    private static final Side ENGINE = new Side(16_300, 3_720, 9_100, 30.4, Map.of(Cpu.DATABASE, 33.0), 2_210, 1.5);
    private static final Side RAW = new Side(4_000, 15_000, 40_000, 129, Map.of(Cpu.DATABASE, 312.0), 5_400, 8);
    private static final Result RATE = new Result(
            "PostgreSQL, 64 blocking callers",
            "raw two-commit SQL, pool of 32",
            new Ratio(4.08, 3.95, 4.2),
            "x",
            4,
            false,
            new Sides(ENGINE, RAW),
            "");

    @Test
    void everyFigureHasItsColumnInTheFile() {
        String text = Report.markdown(List.of(RATE), Effort.USUAL);
        assertThat(text)
                .contains("5 pairs of rounds of 1.5 s", "warmed up for 10 s", "Results have 300 bytes")
                .contains("| PostgreSQL, 64 blocking callers | raw two-commit SQL, pool of 32 | 4.08 x (3.95 to 4.20) |"
                        + " at least 4.00 x | yes | 16,300 / 4,000 | 3.72 / 15.0 | 9.10 / 40.0 | 30.4 / 129 |  |"
                        + " 33.0 / 312 | allocated 2,210 / 5,400, switches 1.50 / 8.00 |");
    }

    @Test
    void aTerminalShowsTheBaselineBelow() {
        assertThat(Report.screen(List.of(RATE), Effort.USUAL))
                .contains("5 pairs of rounds of 1.5 s")
                .containsPattern(
                        "\\| PostgreSQL, 64 blocking callers +\\| 4.08 x \\(3.95 to 4.20\\) \\| at least 4.00 x: yes ")
                .containsPattern("\\|   against raw two-commit SQL, pool of 32 +\\|  +\\|")
                .contains("allocated 2,210 / 5,400, switches 1.50 / 8.00");
    }

    @Test
    void aQuickRunSaysThatItsFiguresHaveNoMeaning() {
        String warning = "the figures of this table have no meaning";
        List<Result> results = List.of(RATE);
        assertThat(Report.screen(results, Effort.QUICK))
                .containsSubsequence(warning, "| what is measured")
                .contains("3 pairs of rounds of 0.5 s")
                .doesNotContain("at least 4.00 x");
        assertThat(Report.markdown(results, Effort.QUICK.withRounds(9)))
                .containsSubsequence("## Table", warning + ".**\n\n|");
        assertThat(Report.screen(results, Effort.USUAL)).doesNotContain(warning);
        assertThat(Report.markdown(results, Effort.USUAL.withRounds(1))).doesNotContain(warning);
    }

    @Test
    void aMissedGoalIsSaid() {
        Result missed = new Result("w", "a", new Ratio(1.3, 1.2, 1.4), "x", 1.1, true, null, "why");
        assertThat(missed.verdict()).isEqualTo("at most 1.10 x: no");
        assertThat(missed.reached()).isEqualTo("**no**");
        assertThat(missed.more()).isEqualTo("why");
        assertThat(new Result("w", "a", missed.figure(), "x", Result.NO_GOAL, true, null, "").verdict())
                .isEmpty();
    }

    @Test
    void theLoadGeneratorOfAServerShowsNoAllocations() {
        Side served = new Side(1, 1, 1, 1, Map.of(Cpu.SERVER, 2.0, Cpu.DATABASE, 3.0, "service", 4.0), 1, 1);
        Sides sides = new Sides(served, null);
        assertThat(sides.engineIsHere()).isFalse();
        assertThat(sides.micros(Cpu.SERVER)).isEqualTo("2.00");
        assertThat(RATE.with(sides).more()).isEqualTo("CPU of the service 4.00 µs");
    }

    @Test
    void anEarlierServerStandsInTheColumnOfTheServer() {
        Side now = new Side(1, 1, 1, 1, Map.of(Cpu.SERVER, 2.0, "before", 0.0), 1, 1);
        Side then = new Side(1, 1, 1, 1, Map.of(Cpu.SERVER, 0.0, "before", 4.0), 1, 1);
        Sides sides = new Sides(now, then).otherServerIs("before");
        assertThat(sides.micros(Cpu.SERVER)).isEqualTo("2.00 / 4.00");
        assertThat(sides.furtherProcesses()).isEmpty();
    }

    @Test
    void otherTablesFollowTheCommonOne() {
        Table table = new Table("Log.", List.of("for a claim", "Semel"), List.of(List.of("bytes", "700")));
        assertThat(Report.markdown(List.of(table, RATE), Effort.USUAL))
                .containsSubsequence("4.08 x", "Log.\n\n| for a claim | Semel |\n|---|---|\n| bytes | 700 |");
        assertThat(table.text()).endsWith("""
                | for a claim | Semel |
                |-------------|-------|
                | bytes       | 700   |""");
    }

    @Test
    void rawSqlAndTheBestLibraryStandSideBySide() {
        Side slow = new Side(2_000, 1, 1, 140, Map.of(Cpu.DATABASE, 300.0), 1, 1);
        Side fast = new Side(3_000, 1, 1, 90, Map.of(Cpu.DATABASE, 250.0), 1, 1);
        assertThat(SideBySide.of(List.of(RATE, against("slow", slow), against("fast", fast))))
                .hasValueSatisfying(table -> assertThat(table.rows())
                        .containsExactly(List.of(
                                "PostgreSQL, 64 blocking callers",
                                "4,000/s, 129 / 312",
                                "fast: 3,000/s, 90.0 / 250",
                                "16,300/s, 30.4 / 33.0",
                                "4.08 x (3.95 to 4.20)",
                                "5.00 x (4.00 to 6.00)")));
        assertThat(SideBySide.of(List.of(against("fast", fast)))).isEmpty();
    }

    private static Result against(String library, Side side) {
        return new Result(RATE.work(), library, new Ratio(5, 4, 6), "x", 4, false, new Sides(ENGINE, side), "");
    }

    @Test
    void everyRowHasACellForEachColumn() {
        assertThatThrownBy(() -> new Table("", List.of("a", "b"), List.of(List.of("1"))))
                .hasMessageContaining("1 cells for 2 columns");
    }

    @Test
    void longTextIsBrokenBetweenWords() {
        assertThat(Report.wrapped("one " + "x".repeat(49) + " two", "  "))
                .containsExactly("  one", "  " + "x".repeat(49), "  two");
    }

    @Test
    void numbersHaveAboutThreeDigits() {
        assertThat(List.of(0.0, 0.0031, 0.123, 9.996, 12.34, 99.96, 16_300.4, Double.NaN).stream()
                        .map(Sides::number))
                .containsExactly("0.00", "0.003", "0.12", "10.0", "12.3", "100", "16,300", "unknown");
    }
}

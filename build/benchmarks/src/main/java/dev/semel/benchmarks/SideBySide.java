// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Raw SQL, the best other library and Semel in one line for each kind of work: rates and CPU time. */
final class SideBySide {
    private static final String TITLE =
            "Side by side: pieces of work a second, CPU time for each of client / database in µs.";
    private static final List<String> COLUMNS = List.of(
            "work", RawSql.NAME, "best other library", "Semel", "Semel against raw SQL", "against the best library");

    private SideBySide() {}

    /** The table, or nothing if Semel was not compared with raw SQL. */
    static Optional<Table> of(List<Result> results) {
        List<Result> compared =
                results.stream().filter(SideBySide::isComparison).toList();
        Set<String> works = new LinkedHashSet<>();
        compared.stream().filter(SideBySide::isRaw).forEach(result -> works.add(result.work()));
        List<List<String>> rows = new ArrayList<>();
        for (String work : works) {
            List<Result> ofWork = compared.stream()
                    .filter(result -> result.work().equals(work))
                    .toList();
            rows.add(row(work, ofWork));
        }
        return rows.isEmpty() ? Optional.empty() : Optional.of(new Table(TITLE, COLUMNS, rows));
    }

    private static List<String> row(String work, List<Result> results) {
        Result raw = results.stream().filter(SideBySide::isRaw).findFirst().orElseThrow();
        Optional<Result> library = results.stream()
                .filter(result -> !isRaw(result))
                .max(Comparator.comparingDouble(result -> other(result).perSecond()));
        return List.of(
                work,
                cell(other(raw)),
                library.map(best -> best.against() + ": " + cell(other(best))).orElse(""),
                cell(sides(raw).semel()),
                raw.figureText(),
                library.map(Result::figureText).orElse(""));
    }

    private static boolean isComparison(Result result) {
        return result.sides() != null
                && result.sides().other() != null
                && result.sides().engineIsHere();
    }

    private static boolean isRaw(Result result) {
        return result.against().startsWith(RawSql.NAME);
    }

    private static Sides sides(Result result) {
        return Objects.requireNonNull(result.sides());
    }

    private static Side other(Result result) {
        return Objects.requireNonNull(sides(result).other());
    }

    private static String cell(Side side) {
        return "%s/s, %s / %s"
                .formatted(
                        Sides.number(side.perSecond()),
                        Sides.number(side.clientMicros()),
                        Sides.number(side.otherMicros().getOrDefault(Cpu.DATABASE, Double.NaN)));
    }
}

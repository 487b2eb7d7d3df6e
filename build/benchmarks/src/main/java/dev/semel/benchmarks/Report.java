// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** What a run prints and writes: the machine, how to read the table, and the tables. */
final class Report {
    private static final List<Column> COLUMNS = List.of(
            new Column("what is measured", Result::work),
            new Column("compared with", Result::against),
            new Column("figure (range)", Result::figureText),
            new Column("goal", Result::goalText),
            new Column("reached", Result::reached),
            new Column("a second", of(Sides::perSecond)),
            new Column("p50, ms", of(Sides::p50Millis)),
            new Column("p99, ms", of(Sides::p99Millis)),
            new Column("CPU client, µs", of(Sides::clientMicros)),
            new Column("CPU server, µs", of(sides -> sides.micros(Cpu.SERVER))),
            new Column("CPU database, µs", of(sides -> sides.micros(Cpu.DATABASE))),
            new Column("more", Result::more));

    private static final List<Column> SHOWN = List.of(
            new Column("what is measured", Result::work),
            new Column("figure (range)", Result::figureText),
            new Column("goal", Result::verdict),
            new Column("a second", of(Sides::perSecond)),
            new Column("p50, ms", of(Sides::p50Millis)),
            new Column("p99, ms", of(Sides::p99Millis)),
            new Column("CPU client, µs", of(Sides::clientMicros)),
            new Column("CPU server, µs", of(sides -> sides.micros(Cpu.SERVER))),
            new Column("CPU database, µs", of(sides -> sides.micros(Cpu.DATABASE))));

    private static final int NARROW = 50;

    private Report() {}

    /** The whole file RESULTS.md. */
    static String markdown(List<? extends ReportPart> parts, Paired.Effort effort) {
        return """
                # Results

                Made by `./semel bench`.

                ## How to read the table

                - **A pair is Semel / the other.** Both take turns in the same run: %d pairs of rounds of %s s.
                - **The figure is the median of the pairs' ratios**, with the smallest and the largest one. A figure in ms or µs is the median
                  of the rounds.
                - **For rates, larger is better. For all other figures, smaller is better:** p50, p99, CPU, allocated, switches.
                - **Semel can have the higher rate and also the higher p50.** The callers of raw SQL wait for a connection of the pool: most of
                  them briefly, some of them long. The long ones show in the p99 and lower the rate, but do not show in the p50.
                - **Rates depend on the machine and on what else runs on it.** CPU time for a piece of work depends least on that.
                - **CPU client** is this process: callers and engine, or the load generator if the server is measured. **CPU server** is
                  Semel's server. **CPU database** is all processes of the database. All are for a piece of work: a claim with its settlement,
                  an event, a request.
                - "Allocated" (bytes) and "switches" (context switches, in which a thread waits) are those of the client, for a piece of work.
                - Each side is warmed up for %s s, or for three times as long if the server is measured. Results have %d bytes. Raw SQL and other
                  libraries run at the pool size that was the fastest in a short trial; it is in their name.
                - **Open loop:** requests start at a fixed rate, whether earlier ones were answered or not, and their time counts from when they should
                  have started.

                Machine: %s.

                ## Table

                %s%s
                """.formatted(
                        effort.rounds(),
                        seconds(effort.round()),
                        seconds(effort.warmUp()),
                        MeasuredResult.TEXT.length(),
                        machine(),
                        warning(effort, "**", "**"),
                        tables(withSideBySide(judged(parts, effort)), Report::wide, Table::markdown));
    }

    /** What a terminal shows at the end. */
    static String screen(List<? extends ReportPart> parts, Paired.Effort effort) {
        return """

                Pairs are Semel / the other, in the same run: %d pairs of rounds of %s s. Figure: the median of the pairs' ratios, with their range.
                Columns in µs are CPU time for a piece of work. Client: callers and engine, or the load generator of a server.
                Allocated (bytes) and switches (context switches, in which a thread waits) are those of the client for a piece of work.
                For rates, larger is better; for p50, p99, CPU, allocated and switches, smaller is better.
                Semel can have the higher rate and also the higher p50: callers of raw SQL wait for the pool, some of them long. See its p99.
                Machine: %s.

                %s%s
                """.formatted(
                        effort.rounds(),
                        seconds(effort.round()),
                        machine(),
                        warning(effort, "", ""),
                        tables(judged(parts, effort), Report::narrow, Table::text));
    }

    /** Without goals if the figures have no meaning. */
    private static List<? extends ReportPart> judged(List<? extends ReportPart> parts, Paired.Effort effort) {
        return effort.isTrial()
                ? parts.stream()
                        .map(part -> part instanceof Result result ? result.withoutGoal() : part)
                        .toList()
                : parts;
    }

    private static String warning(Paired.Effort effort, String before, String after) {
        return effort.isTrial()
                ? before + "Run with --quick: the figures of this table have no meaning." + after + "\n\n"
                : "";
    }

    private static List<ReportPart> withSideBySide(List<? extends ReportPart> parts) {
        List<ReportPart> all = new ArrayList<>(parts);
        SideBySide.of(results(parts)).ifPresent(table -> all.add(0, table));
        return all;
    }

    private static List<Result> results(List<? extends ReportPart> parts) {
        return parts.stream()
                .filter(Result.class::isInstance)
                .map(Result.class::cast)
                .toList();
    }

    private static String tables(
            List<? extends ReportPart> parts, Function<List<Result>, Table> common, Function<Table, String> text) {
        List<String> texts = new ArrayList<>();
        List<Result> results = results(parts);
        if (!results.isEmpty()) {
            texts.add(text.apply(common.apply(results)));
        }
        for (ReportPart part : parts) {
            if (part instanceof Table table) {
                texts.add(text.apply(table));
            }
        }
        return String.join("\n\n", texts);
    }

    private static Table wide(List<Result> results) {
        return table(COLUMNS, results, result -> List.of(cells(COLUMNS, result)));
    }

    /** For a terminal: what is compared, and what has no column, in lines below each other. Empty columns are left out. */
    private static Table narrow(List<Result> results) {
        List<Column> used = SHOWN.stream()
                .filter(column -> results.stream()
                        .anyMatch(result -> !column.cell().apply(result).isEmpty()))
                .toList();
        return table(used, results, result -> {
            List<String> words = new ArrayList<>(wrapped(result.work(), ""));
            words.addAll(wrapped("against " + result.against(), "  "));
            if (!result.more().isEmpty()) {
                words.addAll(wrapped(result.more(), "  "));
            }
            List<List<String>> lines = new ArrayList<>();
            for (String line : words) {
                List<String> cells = new ArrayList<>(lines.isEmpty() ? cells(used, result) : blank(used.size()));
                cells.set(0, line);
                lines.add(cells);
            }
            return lines;
        });
    }

    private static Table table(
            List<Column> columns, List<Result> results, Function<Result, List<List<String>>> linesOf) {
        return new Table(
                "",
                columns.stream().map(Column::name).toList(),
                results.stream().map(linesOf).flatMap(List::stream).toList());
    }

    private static List<String> cells(List<Column> columns, Result result) {
        return columns.stream().map(column -> column.cell().apply(result)).toList();
    }

    private static List<String> blank(int size) {
        return Collections.nCopies(size, "");
    }

    /** The text in lines that fit into the first column. */
    static List<String> wrapped(String text, String indent) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder(indent);
        for (String word : text.split(" ", -1)) {
            if (line.length() > indent.length() && line.length() + word.length() > NARROW) {
                lines.add(line.toString().stripTrailing());
                line.setLength(indent.length());
            }
            line.append(word).append(' ');
        }
        lines.add(line.toString().stripTrailing());
        return lines;
    }

    private static Function<Result, String> of(Function<Sides, String> cell) {
        return result -> result.sides() == null ? "" : cell.apply(result.sides());
    }

    private static String seconds(Duration duration) {
        return String.format(Locale.ROOT, "%.1f", duration.toMillis() / 1_000.0).replace(".0", "");
    }

    private static String machine() {
        Runtime runtime = Runtime.getRuntime();
        return "%d cores (%s), %s %s, Java %s"
                .formatted(
                        runtime.availableProcessors(),
                        processor(),
                        System.getProperty("os.name"),
                        System.getProperty("os.version"),
                        System.getProperty("java.version"));
    }

    private static String processor() {
        try {
            return Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
                    .filter(line -> line.startsWith("model name"))
                    .findFirst()
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .orElse("unknown");
        } catch (IOException e) {
            return "unknown";
        }
    }

    private record Column(String name, Function<Result, String> cell) {}
}

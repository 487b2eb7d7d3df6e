// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A table with a title. */
record Table(String title, List<String> columns, List<List<String>> rows) implements ReportPart {
    Table {
        columns = List.copyOf(columns);
        rows = rows.stream().map(List::copyOf).toList();
        int width = columns.size();
        rows.forEach(row -> {
            if (row.size() != width) {
                throw new IllegalArgumentException(
                        "A row has %d cells for %d columns: %s".formatted(row.size(), width, row));
            }
        });
    }

    /** For a file. */
    String markdown() {
        return text(columns.stream().map(column -> 0).toList());
    }

    /** For a terminal: Markdown too, with aligned columns. */
    String text() {
        List<Integer> widths = new ArrayList<>();
        for (int column = 0; column < columns.size(); column++) {
            int at = column;
            widths.add(Stream.concat(Stream.of(columns), rows.stream())
                    .mapToInt(row -> row.get(at).length())
                    .max()
                    .orElseThrow());
        }
        return text(widths);
    }

    private String text(List<Integer> widths) {
        StringBuilder text = new StringBuilder(title.isEmpty() ? "" : title + "\n\n");
        text.append(line(columns, widths)).append('\n');
        text.append(widths.stream()
                .map(width -> "-".repeat(Math.max(3, width + 2)))
                .collect(Collectors.joining("|", "|", "|")));
        rows.forEach(row -> text.append('\n').append(line(row, widths)));
        return text.toString();
    }

    private static String line(List<String> cells, List<Integer> widths) {
        StringBuilder line = new StringBuilder("|");
        for (int i = 0; i < cells.size(); i++) {
            String cell = cells.get(i);
            line.append(' ')
                    .append(cell)
                    .append(" ".repeat(Math.max(0, widths.get(i) - cell.length())))
                    .append(" |");
        }
        return line.toString();
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.cli;

import dev.semel.payload.json.Json;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** How a command prints: text for people, or one JSON document for programs. */
final class OutputOptions {
    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec command;

    @Option(names = "--json", description = "print one JSON document instead of text")
    private boolean json;

    private int shown;

    /** Prints the JSON form or the text, whichever was asked for. Removes the line of {@link #count}. */
    void print(Json answer, String text) {
        count("");
        PrintWriter out = out();
        out.println(json ? new String(answer.utf8(), StandardCharsets.UTF_8) : text.stripTrailing());
        out.flush();
    }

    /** Prints a line for a person who waits. Programs, and output that is not a terminal, do not receive it. */
    void progress(String line) {
        if (!json && CommandLine.Help.Ansi.AUTO.enabled()) {
            PrintWriter err = Objects.requireNonNull(command).commandLine().getErr();
            err.println(line);
            err.flush();
        }
    }

    /** Like {@link #progress}, but replaces the line that it wrote before. An empty text removes it. */
    void count(String text) {
        if (!json && CommandLine.Help.Ansi.AUTO.enabled() && !(text.isEmpty() && shown == 0)) {
            PrintWriter err = Objects.requireNonNull(command).commandLine().getErr();
            err.print("\r" + text + " ".repeat(Math.max(0, shown - text.length())) + (text.isEmpty() ? "\r" : ""));
            err.flush();
            shown = text.length();
        }
    }

    private PrintWriter out() {
        return Objects.requireNonNull(command).commandLine().getOut();
    }
}

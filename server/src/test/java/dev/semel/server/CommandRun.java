// SPDX-License-Identifier: Apache-2.0
package dev.semel.server;

import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;

/** What a command printed, and its exit code. */
public record CommandRun(int exit, String out, String err) {
    /** Runs a command in this process. */
    public static CommandRun of(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exit = Main.run(
                new CommandLine(new Main()).setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true)),
                arguments);
        return new CommandRun(exit, out.toString(), err.toString());
    }

    /** The printed JSON document. */
    public JsonObject json() {
        if (exit != 0 && out.isEmpty()) {
            throw new AssertionError("The command failed: " + err);
        }
        return (JsonObject) Json.parse(out.getBytes(StandardCharsets.UTF_8));
    }

    /** A member of the printed document, without quotes. */
    public String text(String name) {
        Json member = json().member(name).orElseThrow();
        return member instanceof JsonString string ? string.value() : new String(member.utf8(), StandardCharsets.UTF_8);
    }
}

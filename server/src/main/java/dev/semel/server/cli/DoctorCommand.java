// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.cli;

import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonArray;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import dev.semel.server.doctor.Doctor;
import dev.semel.server.doctor.Finding;
import java.time.Clock;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command {@code semel doctor}. */
@Command(
        name = "doctor",
        description =
                "Checks the settings, the database and Redis, and prints a fix for each finding. It changes nothing.",
        footer = {"", "The exit code is 1 if there is an error; warnings and notes do not change it."})
public final class DoctorCommand implements Callable<Integer> {
    @Mixin
    private DatabaseOptions database = new DatabaseOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Override
    public Integer call() {
        List<Finding> findings = new Doctor(database.existing(), Clock.systemUTC()).findings();
        output.print(json(findings), text(findings));
        return findings.stream().anyMatch(finding -> finding.level() == Finding.Level.ERROR) ? 1 : 0;
    }

    private static Json json(List<Finding> findings) {
        return new JsonObject.Builder()
                .put(
                        "findings",
                        new JsonArray(findings.stream().map(DoctorCommand::json).toList()))
                .build();
    }

    private static Json json(Finding finding) {
        return new JsonObject.Builder()
                .put("level", new JsonString(word(finding)))
                .put("check", new JsonString(finding.check()))
                .put("problem", new JsonString(finding.problem()))
                .put("fix", new JsonString(finding.fix()))
                .build();
    }

    private static String text(List<Finding> findings) {
        return findings.isEmpty()
                ? "No findings."
                : findings.stream()
                        .map(finding -> "%s %s%n  %s%n  Fix: %s%n"
                                .formatted(word(finding), finding.check(), finding.problem(), finding.fix()))
                        .collect(Collectors.joining("\n"));
    }

    private static String word(Finding finding) {
        return finding.level().name().toLowerCase(Locale.ROOT);
    }
}

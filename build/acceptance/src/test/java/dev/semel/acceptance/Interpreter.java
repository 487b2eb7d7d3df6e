// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An interpreter on the PATH of this build.
 *
 * @param command its name
 */
record Interpreter(String command) {
    /** The exit code and output of a script. */
    record Ended(int exitCode, String output) {}

    private static final long LIMIT_SECONDS = 180;
    private static final Pattern VERSION = Pattern.compile("(\\d+)\\.(\\d+)\\.\\d+");

    /** Skips the test and prints the reason if the interpreter is missing or older than this version. */
    static Interpreter required(String command, int major, int minor) {
        Interpreter interpreter = new Interpreter(command);
        String version = interpreter.version();
        Matcher parts = VERSION.matcher(version);
        boolean fits = parts.find()
                && (Integer.parseInt(parts.group(1)) > major
                        || (Integer.parseInt(parts.group(1)) == major && Integer.parseInt(parts.group(2)) >= minor));
        String why =
                "SKIPPED: this client is not tested, because it needs %s %d.%d or newer on the PATH, and there is %s"
                        .formatted(command, major, minor, version.isEmpty() ? "none" : version);
        if (!fits) {
            // Maven's summary does not show why a test was skipped.
            System.err.println(why);
        }
        assumeTrue(fits, why);
        return interpreter;
    }

    private String version() {
        try {
            Ended ended = run(Path.of("."), Map.of(), List.of("--version"));
            return ended.exitCode() == 0 ? ended.output().strip() : "";
        } catch (UncheckedIOException notThere) {
            return "";
        }
    }

    /** Runs a script in a folder with additional environment variables, and waits for its end. */
    Ended run(Path folder, Map<String, String> variables, List<String> arguments) {
        List<String> words = new ArrayList<>(List.of(command));
        words.addAll(arguments);
        Path output = Scratch.folder("script").resolve("output.log");
        ProcessBuilder builder = new ProcessBuilder(words)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectInput(Redirect.from(Path.of("/dev/null").toFile()))
                .redirectOutput(output.toFile());
        builder.environment().putAll(variables);
        try {
            Process process = builder.start();
            try {
                if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                    throw new AssertionError(
                            "%s %s does not end:%n%s".formatted(command, arguments, Files.readString(output)));
                }
            } finally {
                process.destroyForcibly();
            }
            return new Ended(process.exitValue(), Files.readString(output, StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }
}

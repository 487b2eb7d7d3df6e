// SPDX-License-Identifier: Apache-2.0
package dev.semel.model;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tlc2.TLC;

/** Runs TLC on a model of {@code docs/model} in a process of its own, which writes only to the given folder. */
final class ModelChecker {
    private static final Path MODEL = Path.of(System.getProperty("semel.model.folder"));
    private static final Pattern VIOLATED = Pattern.compile("Error: Invariant (\\w+) is violated");
    private static final Pattern STATES =
            Pattern.compile("(\\d+) states generated, (\\d+) distinct states found, (\\d+) states left on queue");

    private final Path folder;
    private final String model;

    /** @param model the name of a file, such as {@code Semel.tla} */
    ModelChecker(Path folder, String model) {
        this.folder = folder;
        this.model = model;
    }

    /**
     * The end of a run.
     *
     * @param violated the invariant that does not hold; empty if TLC found no error
     * @param distinct how many states TLC found
     * @param output what TLC printed, with the steps that led to a violation
     */
    record Report(Optional<String> violated, long distinct, boolean complete, String output) {}

    static String text(String file) throws IOException {
        return Files.readString(MODEL.resolve(file));
    }

    /** Checks the invariants of a configuration. */
    Report check(String configuration, int workers) throws IOException, InterruptedException {
        Files.copy(MODEL.resolve(model), folder.resolve(model));
        Files.writeString(folder.resolve("Checked.cfg"), configuration);
        Path output = folder.resolve("output.txt");
        Process tlc = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseParallelGC",
                        "-Xmx2g",
                        "-Djava.io.tmpdir=" + folder,
                        "-cp",
                        jar(),
                        TLC.class.getName(),
                        "-workers",
                        Integer.toString(workers),
                        "-metadir",
                        folder.resolve("states").toString(),
                        "-config",
                        "Checked.cfg",
                        model))
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            tlc.waitFor();
        } finally {
            tlc.destroyForcibly();
        }
        return report(Files.readString(output, StandardCharsets.UTF_8));
    }

    private static Report report(String output) {
        Matcher violated = VIOLATED.matcher(output);
        // TLC also prints intermediate numbers. The last ones count.
        Matcher states = STATES.matcher(output);
        long distinct = 0;
        boolean empty = false;
        while (states.find()) {
            distinct = Long.parseLong(states.group(2));
            empty = states.group(3).equals("0");
        }
        return new Report(
                violated.find() ? Optional.of(violated.group(1)) : Optional.empty(),
                distinct,
                empty && output.contains("Model checking completed. No error has been found."),
                output);
    }

    private static String jar() {
        try {
            return Path.of(TLC.class
                            .getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException("The jar of TLC has no path", e);
        }
    }

    /** A configuration with a planted bug, which checks only these invariants. */
    static String planted(String configuration, String bug, List<String> invariants) {
        String header = configuration.substring(0, configuration.indexOf("INVARIANTS"));
        if (!header.contains("Bug = \"none\"")) {
            throw new IllegalArgumentException("The configuration has no line Bug = \"none\"");
        }
        return header.replace("Bug = \"none\"", "Bug = \"" + bug + "\"")
                + invariants.stream().collect(Collectors.joining("\n    ", "INVARIANTS\n    ", "\n"));
    }
}

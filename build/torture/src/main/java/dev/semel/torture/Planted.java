// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture;

import dev.semel.torture.faults.FaultKind;
import dev.semel.torture.rules.Violation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine;

/** Plants defects into copies of the sources, and checks that a run finds each of them. */
final class Planted {
    private static final String PATCHES = "build/torture/src/test/patches";
    private static final String OPTIONS = "Options: ";
    private static final int MOST_ROUNDS = 5;

    private final Path home;
    private final long seed;
    private final int seconds;

    /** A row of the table: the outcome for one defect. */
    private record Line(String bug, Hints hints, String rules, String seed, long operations, boolean isFound) {
        static final String HEADER = """
                | defect | store | faults | who finds it | rule | seed | operations |
                |---|---|---|---|---|---|---|""";

        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "| %s | %s | `%s` | %s | %s | %s | %,d |",
                    bug.replace('-', ' '),
                    hints.store,
                    hints.faults,
                    isFound ? "torture" : "**nobody**",
                    rules,
                    seed,
                    operations);
        }
    }

    /** What a patch says about how to find its defect. */
    static final class Hints {
        @CommandLine.Option(names = "--store")
        String store = "postgresql";

        @CommandLine.Option(names = "--faults")
        String faults = "all";

        @CommandLine.Option(names = "--works")
        String works = "";
    }

    Planted(Path home, long seed, int seconds) {
        this.home = home;
        this.seed = seed;
        this.seconds = seconds;
    }

    /** Runs all, or those whose name contains this regular expression. Returns whether each was found. */
    boolean run(String only) throws Exception {
        List<Path> patches;
        try (Stream<Path> files = Files.list(home.resolve(PATCHES))) {
            patches = files.filter(file -> Pattern.compile(only)
                            .matcher(file.getFileName().toString())
                            .find())
                    .sorted()
                    .toList();
        }
        List<Line> lines = new ArrayList<>();
        for (Path patch : patches) {
            lines.add(find(patch));
            System.out.println(lines.get(lines.size() - 1));
        }
        System.out.printf(
                "%nFound %d of %d, in up to %d rounds of %d s each:%n%n%s%n",
                lines.stream().filter(Line::isFound).count(), lines.size(), MOST_ROUNDS, seconds, Line.HEADER);
        lines.forEach(System.out::println);
        return !lines.isEmpty() && lines.stream().allMatch(Line::isFound);
    }

    private Line find(Path patch) throws Exception {
        String name = patch.getFileName().toString().replace(".patch", "");
        String options = Files.readString(patch)
                .lines()
                .filter(line -> line.startsWith(OPTIONS))
                .findFirst()
                .orElse("")
                .substring(OPTIONS.length());
        Hints hints = new Hints();
        new CommandLine(hints).parseArgs(options.split(" "));
        Path folder = Files.createTempDirectory("semel-planted-");
        try {
            String classPath = planted(patch, folder) + ":" + Torture.classPath();
            return found(name, hints, classPath);
        } finally {
            delete(folder);
        }
    }

    private Line found(String name, Hints hints, String classPath) throws Exception {
        TortureOptions options = new TortureOptions(
                hints.store, seed, seconds, FaultKind.parse(hints.faults), 3, hints.works, classPath);
        Figures figures = new Figures();
        try (TortureServers servers = TortureServers.start(hints.store, options.faults(), classPath)) {
            for (int round = 0; round < MOST_ROUNDS; round++) {
                TortureOptions now = options.with(seed + round, seconds);
                List<Violation> found = new Round(servers, now, figures, Round.QUIET).run();
                if (!found.isEmpty()) {
                    TreeSet<String> rules = new TreeSet<>();
                    found.forEach(violation -> rules.add(violation.rule()));
                    return new Line(
                            name,
                            hints,
                            String.join("; ", rules),
                            Long.toString(now.seed()),
                            figures.operations.get(),
                            true);
                }
            }
        }
        return new Line(name, hints, "", "", figures.operations.get(), false);
    }

    /** Compiles the changed files of a patch. Returns the folder of their classes. */
    private Path planted(Path patch, Path folder) throws IOException, InterruptedException {
        List<String> changed = Files.readString(patch)
                .lines()
                .filter(line -> line.startsWith("+++ b/"))
                .map(line -> line.substring("+++ b/".length()))
                .toList();
        Path sources = folder.resolve("sources");
        Path classes = Files.createDirectories(folder.resolve("classes"));
        for (String file : changed) {
            // The whole module, because constants are compiled into the classes that use them.
            copy(file.substring(0, file.indexOf("src/main/")) + "src/main", sources);
        }
        run(sources, List.of("git", "apply", "--unsafe-paths", "-p1", patch.toString()));
        List<String> compile = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "javac").toString(),
                "-nowarn",
                "-proc:none",
                "-d",
                classes.toString(),
                "--class-path",
                Torture.classPath()));
        try (Stream<Path> files = Files.walk(sources)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String name = sources.relativize(file).toString();
                if (name.endsWith(".java")) {
                    compile.add(file.toString());
                } else {
                    Path resource = classes.resolve(name.substring(name.indexOf("resources/") + "resources/".length()));
                    Files.createDirectories(resource.getParent());
                    Files.copy(file, resource);
                }
            }
        }
        run(sources, compile);
        return classes;
    }

    private void copy(String folder, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(home.resolve(folder))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path target = to.resolve(home.relativize(file));
                // Its module path is not ours: everything runs on the class path.
                if (!file.endsWith("module-info.java") && !Files.exists(target)) {
                    Files.createDirectories(target.getParent());
                    Files.copy(file, target);
                }
            }
        }
    }

    private static void run(Path folder, List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .inheritIO()
                .start();
        if (process.waitFor() != 0) {
            throw new IllegalStateException("This failed: " + command);
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted((one, other) -> other.compareTo(one)).toList()) {
                Files.delete(file);
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.testservers;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/**
 * The inputs of a module's fuzz tests, so that an ordinary build runs them again without a fuzzer. They are in the test
 * resources, where Jazzer looks for seeds and leaves its findings: {@code <package>/<fuzz test>Inputs/<method>/<file>}.
 */
public final class FuzzInputs {
    private static final String FOLDER = "FuzzInputs";

    private FuzzInputs() {}

    /**
     * A test for each input of this class's module. It fails if the fuzz test would fail.
     *
     * @param targets by the fuzz test's name, such as {@code dev/semel/payload/RedactionFuzz}. Each must have inputs, and
     *     every fuzz test with inputs must be listed.
     */
    public static Stream<DynamicTest> of(Class<?> test, Map<String, Consumer<byte[]>> targets) {
        try {
            Path root = Path.of(
                    test.getProtectionDomain().getCodeSource().getLocation().toURI());
            Set<String> found = new TreeSet<>();
            List<DynamicTest> tests = new ArrayList<>();
            for (Path folder : folders(root)) {
                String name = name(root.relativize(folder));
                found.add(name);
                Consumer<byte[]> target = targets.get(name);
                if (target != null) {
                    files(folder).forEach(file -> tests.add(test(name + "/" + folder.relativize(file), file, target)));
                }
            }
            if (!found.equals(targets.keySet())) {
                throw new IllegalStateException(
                        "Inputs exist for %s, but targets for %s".formatted(found, new TreeSet<>(targets.keySet())));
            }
            return tests.stream();
        } catch (IOException | URISyntaxException e) {
            throw new IllegalStateException("The test resources cannot be read", e);
        }
    }

    private static DynamicTest test(String name, Path file, Consumer<byte[]> target) {
        return DynamicTest.dynamicTest(name, () -> {
            byte[] input = Files.readAllBytes(file);
            try {
                target.accept(input);
            } catch (RuntimeException | Error e) {
                throw new AssertionError("The input " + name + " fails", e);
            }
        });
    }

    private static List<Path> folders(Path root) throws IOException {
        try (Stream<Path> all = Files.walk(root)) {
            return all.filter(path -> path.getFileName().toString().endsWith(FOLDER) && Files.isDirectory(path))
                    .collect(Collectors.toList());
        }
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile)
                    .sorted(Comparator.naturalOrder())
                    .toList();
        }
    }

    private static String name(Path folder) {
        String path = folder.toString().replace('\\', '/');
        return path.substring(0, path.length() - "Inputs".length());
    }
}

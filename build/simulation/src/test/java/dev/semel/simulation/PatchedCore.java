// SPDX-License-Identifier: Apache-2.0
package dev.semel.simulation;

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/** Simulations with a planted bug in the core or in a store: a patch is applied to a copy of the sources, and the classes it changes come first. */
final class PatchedCore implements AutoCloseable {
    private static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();

    private final URLClassLoader loader;

    private PatchedCore(URLClassLoader loader) {
        this.loader = loader;
    }

    /** @param folder an empty folder for the copy */
    static PatchedCore of(Path patch, Path folder) throws IOException, InterruptedException {
        List<Path> changed = applied(patch, folder);
        Path classes = Files.createDirectories(folder.resolve("classes"));
        compile(changed, classes);
        return new PatchedCore(new URLClassLoader(classPath(classes), ClassLoader.getPlatformClassLoader()));
    }

    /** Applies the patch to copies of the files that it changes, and returns them. */
    static List<Path> applied(Path patch, Path folder) throws IOException, InterruptedException {
        List<String> changed = Files.readAllLines(patch).stream()
                .filter(line -> line.startsWith("+++ b/"))
                .map(line -> line.substring("+++ b/".length()))
                .toList();
        for (String file : changed) {
            Path copy = folder.resolve(file);
            Files.createDirectories(Objects.requireNonNull(copy.getParent()));
            Files.copy(ROOT.resolve(file), copy);
        }
        Process git = new ProcessBuilder("git", "apply", patch.toAbsolutePath().toString())
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (git.waitFor() != 0) {
            throw new IllegalStateException(
                    "%s does not fit the sources any more, make it anew: %s".formatted(patch.getFileName(), said));
        }
        return changed.stream().map(folder::resolve).toList();
    }

    private static void compile(List<Path> files, Path classes) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<String> arguments = new ArrayList<>(List.of(
                "-proc:none", "-nowarn", "-d", classes.toString(), "-cp", System.getProperty("java.class.path")));
        files.forEach(file -> arguments.add(file.toString()));
        if (compiler.run(null, null, null, arguments.toArray(String[]::new)) != 0) {
            throw new IllegalStateException("The patched core does not compile: " + files);
        }
    }

    private static URL[] classPath(Path first) throws IOException {
        List<URL> urls = new ArrayList<>();
        urls.add(first.toUri().toURL());
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            urls.add(Path.of(entry).toUri().toURL());
        }
        return urls.toArray(URL[]::new);
    }

    /** The first seed that breaks a rule, with what it breaks; null if none of these many does. */
    @Nullable
    Found firstBroken(StoreKind kind, long from, long seeds) throws ReflectiveOperationException {
        Class<?> simulation = Class.forName(Simulation.class.getName(), true, loader);
        Class<?> kinds = Class.forName(StoreKind.class.getName(), true, loader);
        Object same = kinds.getMethod("valueOf", String.class).invoke(null, kind.name());
        for (long seed = from; seed < from + seeds; seed++) {
            Object report = simulation
                    .getMethod("run", kinds, long.class, boolean.class)
                    .invoke(null, same, seed, false);
            List<?> violations =
                    (List<?>) report.getClass().getMethod("violations").invoke(report);
            if (!violations.isEmpty()) {
                return new Found(seed - from + 1, String.valueOf(violations.get(0)));
            }
        }
        return null;
    }

    @Override
    public void close() throws IOException {
        loader.close();
    }

    /** All patches of bugs that simulations of this store find, in their order. */
    static List<Path> patches(StoreKind kind) throws IOException {
        Path all = Path.of("src", "test", "patches");
        try (Stream<Path> files = Files.list(kind == StoreKind.MEMORY ? all : all.resolve(kind.option()))) {
            return files.filter(file -> file.toString().endsWith(".patch"))
                    .sorted()
                    .toList();
        }
    }

    /**
     * A planted bug was found.
     *
     * @param seeds how many seeds it took
     * @param violation the first broken rule
     */
    record Found(long seeds, String violation) {
        /** The name of the broken rule. */
        String rule() {
            int end = violation.indexOf(':');
            return end < 0 ? violation : violation.substring(0, end);
        }
    }
}

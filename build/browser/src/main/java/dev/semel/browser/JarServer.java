// SPDX-License-Identifier: Apache-2.0
package dev.semel.browser;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The server's jar in a separate process, on a free port of this machine. */
final class JarServer implements AutoCloseable {
    private static final long START_SECONDS = 60;

    private final Process process;
    private final Path folder;
    private final int port;

    private JarServer(Process process, Path folder, int port) {
        this.process = process;
        this.folder = folder;
        this.port = port;
    }

    /**
     * Starts a server and waits until it is ready.
     *
     * @param folder for its data and its log
     * @param options more options of {@code serve}
     */
    static JarServer start(Path jar, Path folder, List<String> options) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(
                List.of("serve", "--data-dir", folder.resolve("data").toString()));
        all.addAll(options);
        return run(jar, folder, all);
    }

    /** Starts the demo, which has traffic and a temporary folder of its own. */
    static JarServer demo(Path jar, Path folder) throws IOException, InterruptedException {
        return run(jar, folder, List.of("demo"));
    }

    private static JarServer run(Path jar, Path folder, List<String> words) throws IOException, InterruptedException {
        Files.createDirectories(folder);
        Path portFile = folder.resolve("port");
        Files.deleteIfExists(portFile);
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xshare:auto",
                "-Xmx256m",
                "-jar",
                jar.toString()));
        command.addAll(words);
        command.addAll(List.of("--port", "0", "--print-port-file", portFile.toString()));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(Redirect.to(folder.resolve("server.log").toFile()));
        builder.environment().keySet().removeIf(name -> name.startsWith("SEMEL_") || name.startsWith("IDEMPOTENCY_"));
        Process process = builder.start();
        // A JVM that is killed must not leave the server behind.
        Thread stop = new Thread(process::destroyForcibly);
        Runtime.getRuntime().addShutdownHook(stop);
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        while (!Files.exists(portFile) || Files.size(portFile) == 0) {
            if (process.waitFor(20, TimeUnit.MILLISECONDS) || System.nanoTime() > deadline) {
                process.destroyForcibly();
                throw new IOException("The server did not start:\n" + Files.readString(folder.resolve("server.log")));
            }
        }
        return new JarServer(
                process, folder, Integer.parseInt(Files.readString(portFile).strip()));
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + port);
    }

    /** Its SQLite file. */
    Path database() {
        return folder.resolve("data").resolve("semel.db");
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().completeOnTimeout(process, 10, TimeUnit.SECONDS).join();
        process.destroyForcibly();
    }
}

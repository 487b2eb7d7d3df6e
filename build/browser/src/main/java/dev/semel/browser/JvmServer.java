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

/** A server in a separate JVM, on a free port of this machine. */
final class JvmServer implements AutoCloseable {
    private static final long START_SECONDS = 60;

    private final Process process;
    private final Path folder;
    private final int port;

    private JvmServer(Process process, Path folder, int port) {
        this.process = process;
        this.folder = folder;
        this.port = port;
    }

    /**
     * Starts a JVM and waits until the server has written its port.
     *
     * @param arguments of {@code java}; they tell the server to write its port to {@link #portFile}
     * @param folder for the server's files and its log
     */
    static JvmServer start(List<String> arguments, Path folder) throws IOException, InterruptedException {
        Files.createDirectories(folder);
        Path portFile = portFile(folder);
        Files.deleteIfExists(portFile);
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xshare:auto",
                "-Xmx256m"));
        command.addAll(arguments);
        Path log = folder.resolve("server.log");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(Redirect.to(log.toFile()));
        builder.environment().keySet().removeIf(name -> name.startsWith("SEMEL_") || name.startsWith("IDEMPOTENCY_"));
        Process process = builder.start();
        // A JVM that is killed must not leave the server behind.
        Thread stop = new Thread(process::destroyForcibly);
        Runtime.getRuntime().addShutdownHook(stop);
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        while (!Files.exists(portFile) || Files.size(portFile) == 0) {
            if (process.waitFor(20, TimeUnit.MILLISECONDS) || System.nanoTime() > deadline) {
                process.destroyForcibly();
                throw new IOException("The server did not start:\n" + Files.readString(log));
            }
        }
        return new JvmServer(
                process, folder, Integer.parseInt(Files.readString(portFile).strip()));
    }

    static Path portFile(Path folder) {
        return folder.resolve("port");
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + port);
    }

    Path folder() {
        return folder;
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().completeOnTimeout(process, 10, TimeUnit.SECONDS).join();
        process.destroyForcibly();
    }
}

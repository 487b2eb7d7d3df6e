// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** A server in a separate JVM with its own folder. Closing ends the JVM and deletes the folder. */
final class JavaServer implements AutoCloseable {
    private static final Duration LONGEST_START = Duration.ofSeconds(60);
    private static final long LOOK_NANOS = 2_000_000;
    private static final int STOP_SECONDS = 30;

    private final Path folder;
    private final Process process;
    private final Process watchdog;
    private final int port;

    private JavaServer(Path folder, Process process) throws IOException {
        this.folder = folder;
        this.process = process;
        this.watchdog = watch(process.pid());
        this.port = awaitPort();
    }

    /** The command to start in a folder. The server writes its port to the file "port" there. */
    interface Command {
        List<String> in(Path folder) throws IOException;
    }

    static JavaServer start(Map<String, String> environment, Command command) throws IOException {
        Path folder = Files.createTempDirectory("semel-bench-server");
        ProcessBuilder builder = new ProcessBuilder(command.in(folder))
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectInput(Redirect.from(Path.of("/dev/null").toFile()))
                .redirectOutput(log(folder).toFile());
        // The shell's settings for other servers must not affect this one.
        builder.environment().keySet().removeIf(name -> name.startsWith("SEMEL_") || name.startsWith("IDEMPOTENCY_"));
        builder.environment().putAll(environment);
        return new JavaServer(folder, builder.start());
    }

    static Path portFile(Path folder) {
        return folder.resolve("port");
    }

    private static Path log(Path folder) {
        return folder.resolve("server.log");
    }

    /** A shell that kills the server when this JVM ends, even by a kill, because the system then closes the pipe. */
    private static Process watch(long pid) throws IOException {
        return new ProcessBuilder("sh", "-c", "read -r word; [ -n \"$word\" ] || kill -9 \"$1\"", "sh", "" + pid)
                .redirectOutput(Redirect.DISCARD)
                .redirectError(Redirect.DISCARD)
                .start();
    }

    private int awaitPort() throws IOException {
        Path file = portFile(folder);
        long end = System.nanoTime() + LONGEST_START.toNanos();
        while (!Files.exists(file)) {
            if (!process.isAlive() || System.nanoTime() > end) {
                String said = Files.readString(log(folder));
                close();
                throw new IllegalStateException("A server did not start:\n" + said);
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
        return Integer.parseInt(Files.readString(file).strip());
    }

    int port() {
        return port;
    }

    long pid() {
        return process.pid();
    }

    /** The resident memory that Linux reports, in MiB. */
    double residentMiB() throws IOException {
        String line = Files.readAllLines(Path.of("/proc", Long.toString(pid()), "status")).stream()
                .filter(found -> found.startsWith("VmRSS:"))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("The system does not report resident memory"));
        return Integer.parseInt(line.replaceAll("\\D", "")) / 1_024.0;
    }

    @Override
    public void close() throws IOException {
        process.destroy();
        try {
            if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        try {
            watchdog.getOutputStream().write("ended\n".getBytes(StandardCharsets.US_ASCII));
            watchdog.getOutputStream().close();
        } catch (IOException alreadyGone) {
            watchdog.destroyForcibly();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}

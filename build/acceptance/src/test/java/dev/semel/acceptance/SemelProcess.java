// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/** The real jar in a separate process, which can be stopped, killed, and started again on the same data. */
final class SemelProcess implements AutoCloseable {

    /** The exit code and output of a program that ended by itself. */
    record Ended(int exitCode, String output) {}

    private static final Duration START_LIMIT = Duration.ofMinutes(2);
    private static final Duration STOP_LIMIT = Duration.ofMinutes(2);
    private static final Queue<Path> OUTPUTS = new ConcurrentLinkedQueue<>();

    private final Launch launch;
    private final List<String> flags;
    private final Path folder;
    private final Path output;
    private volatile Process process;
    private Process watchdog;
    private volatile int port;

    private SemelProcess(Launch launch, List<String> flags) {
        this.launch = launch;
        this.flags = flags;
        this.folder = Scratch.folder("server");
        this.output = folder.resolve("output.log");
        OUTPUTS.add(output);
    }

    /** Starts a server on a free port and waits until it is ready. */
    static SemelProcess start(Launch launch) {
        return start(launch, List.of());
    }

    /** With more options of the JVM, which override earlier ones. */
    static SemelProcess start(Launch launch, List<String> flags) {
        List<String> all = new ArrayList<>(ClassArchive.toUse());
        all.addAll(flags);
        return startWith(launch, all);
    }

    /** With exactly these options of the JVM. */
    static SemelProcess startWith(Launch launch, List<String> flags) {
        SemelProcess server = new SemelProcess(launch, flags);
        server.start();
        return server;
    }

    /** Runs a command that must end by itself, such as a start that must fail. */
    static Ended run(Launch launch, String... command) {
        SemelProcess program = new SemelProcess(launch, ClassArchive.toUse());
        List<String> words = new ArrayList<>(List.of(command));
        words.addAll(launch.options());
        program.spawn(words);
        try {
            if (!program.process.waitFor(START_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                throw new AssertionError("The process still runs, but it should have ended:\n" + program.output());
            }
            return new Ended(program.process.exitValue(), program.output());
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        } finally {
            program.close();
        }
    }

    /** A serve command that must fail. */
    static Ended refused(Launch launch) {
        return run(launch.with("--port", "0", "--data-dir", launch.data().toString()), "serve");
    }

    void start() {
        Path portFile = folder.resolve("port");
        try {
            Files.deleteIfExists(portFile);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List<String> words = new ArrayList<>(List.of("serve"));
        words.addAll(launch.options());
        if (!launch.options().contains("--port") && !launch.environment().containsKey("SEMEL_PORT")) {
            words.addAll(List.of("--port", "0"));
        }
        if (!launch.environment().containsKey("SEMEL_DATA_DIR")) {
            words.addAll(List.of("--data-dir", launch.data().toString()));
        }
        words.addAll(List.of("--print-port-file", portFile.toString()));
        spawn(words);
        await("the server's start")
                .atMost(START_LIMIT)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> !process.isAlive() || (Files.exists(portFile) && Files.size(portFile) > 0));
        if (!process.isAlive()) {
            throw new AssertionError("The server ended with %d:\n%s".formatted(process.exitValue(), output()));
        }
        try {
            port = Integer.parseInt(Files.readString(portFile).strip());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void spawn(List<String> words) {
        // With umask 0 no file is private by default, so the server must restrict the permissions itself.
        List<String> command = new ArrayList<>(List.of(
                "sh",
                "-c",
                "umask 0; exec \"$@\"",
                "sh",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC"));
        command.addAll(flags);
        command.addAll(List.of("-jar", jar().toString()));
        command.addAll(words);
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectInput(Redirect.from(Path.of("/dev/null").toFile()))
                .redirectOutput(Redirect.appendTo(output.toFile()));
        builder.environment().keySet().removeIf(SemelProcess::isOurs);
        builder.environment().putAll(launch.environment());
        try {
            process = builder.start();
            watchdog = watch(process.pid());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isOurs(String variable) {
        return variable.startsWith("SEMEL_")
                || variable.startsWith("IDEMPOTENCY_")
                || variable.startsWith("AWS_")
                || variable.endsWith("_DEDUP_TTL_HOURS")
                || variable.equals("JAVA_TOOL_OPTIONS");
    }

    private static Path jar() {
        Path jar = Path.of(System.getProperty("semel.server.jar", "../../server/target/semel-server.jar"));
        if (!Files.isRegularFile(jar)) {
            throw new AssertionError(
                    "There is no server at %s: build it with `mvn -pl build/acceptance -am verify`".formatted(jar));
        }
        return jar.toAbsolutePath().normalize();
    }

    /** A shell that kills the server when this JVM ends, even by a kill, because the system then closes the pipe. */
    private static Process watch(long pid) throws IOException {
        return new ProcessBuilder("sh", "-c", "read -r word; [ -n \"$word\" ] || kill -9 \"$1\"", "sh", "" + pid)
                .redirectOutput(Redirect.DISCARD)
                .redirectError(Redirect.DISCARD)
                .start();
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + port);
    }

    int port() {
        return port;
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    Path data() {
        return launch.data();
    }

    /** Its output so far, over all its starts. */
    String output() {
        try {
            return Files.exists(output) ? Files.readString(output, StandardCharsets.UTF_8) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The output of all servers of this JVM so far. */
    static List<Path> outputs() {
        return List.copyOf(OUTPUTS);
    }

    /** Sends SIGTERM, as an operator does, without waiting. */
    void askToStop() {
        // On the platforms of this build, destroy() sends SIGTERM.
        assertThat(process.supportsNormalTermination()).isTrue();
        process.destroy();
    }

    int waitForExit() {
        try {
            if (!process.waitFor(STOP_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                throw new AssertionError("The server did not stop:\n" + output());
            }
            forget();
            return process.exitValue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    int terminate() {
        askToStop();
        return waitForExit();
    }

    /** Sends SIGKILL and waits for the end. */
    void kill() {
        process.destroyForcibly();
        process.onExit().join();
        forget();
    }

    void restart() {
        if (process.isAlive()) {
            terminate();
        }
        start();
    }

    private void forget() {
        try {
            if (watchdog.isAlive()) {
                watchdog.getOutputStream().write("ended\n".getBytes(StandardCharsets.US_ASCII));
                watchdog.getOutputStream().close();
            }
        } catch (IOException alreadyGone) {
            watchdog.destroyForcibly();
        }
    }

    @Override
    public void close() {
        kill();
    }
}

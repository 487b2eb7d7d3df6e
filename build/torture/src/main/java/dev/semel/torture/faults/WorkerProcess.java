// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.faults;

import dev.semel.torture.work.Worker;
import dev.semel.torture.work.WorkerSettings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A worker as the controller sees it. */
public final class WorkerProcess {
    private final Process process;
    private final FaultyNetwork network;
    private final int number;
    private final Path output;
    private final CountDownLatch ready = new CountDownLatch(1);
    private final CountDownLatch settled = new CountDownLatch(1);
    private final CountDownLatch complete = new CountDownLatch(1);
    private volatile long operations;
    private volatile boolean killed;

    private WorkerProcess(Process process, FaultyNetwork network, int number, Path output) {
        this.process = process;
        this.network = network;
        this.number = number;
        this.output = output;
    }

    /**
     * Starts a worker.
     *
     * @param classPath what the worker runs, which may have other classes first
     * @param network its way to the database
     */
    public static WorkerProcess start(String classPath, WorkerSettings settings, FaultyNetwork network, Path folder)
            throws IOException {
        Path file = folder.resolve("worker-%d.properties".formatted(settings.number()));
        settings.write(privateFile(file));
        Path output = folder.resolve("worker-%d.log".formatted(settings.number()));
        Process process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx400m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Xshare:auto",
                        "--class-path",
                        classPath,
                        Worker.class.getName(),
                        file.toString()))
                .redirectError(Redirect.to(output.toFile()))
                .start();
        WorkerProcess worker = new WorkerProcess(process, network, settings.number(), output);
        Thread reader = new Thread(worker::read, "worker output");
        reader.setDaemon(true);
        reader.start();
        return worker;
    }

    /** Creates a file that nobody else can read, because it will contain a password. */
    public static Path privateFile(Path file) throws IOException {
        return Files.createFile(
                file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    }

    private void read() {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("operations ")) {
                    operations = Long.parseLong(line.substring("operations ".length()));
                } else if (line.equals("ready")) {
                    ready.countDown();
                } else if (line.equals("settled")) {
                    settled.countDown();
                } else if (line.equals("complete")) {
                    complete.countDown();
                }
            }
        } catch (IOException e) {
            // The process has ended.
        }
        ready.countDown();
        settled.countDown();
        complete.countDown();
    }

    public int number() {
        return number;
    }

    public long operations() {
        return operations;
    }

    public FaultyNetwork network() {
        return network;
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Whether it ended although nobody killed it. */
    public boolean diedByItself() {
        return !process.isAlive() && !killed;
    }

    /** What it printed on its standard error. */
    public String output() throws IOException {
        return Files.readString(output);
    }

    public boolean awaitReady(Duration limit) throws InterruptedException {
        return ready.await(limit.toSeconds(), TimeUnit.SECONDS) && isAlive();
    }

    /** Tells it that the faults have ended. */
    public void settle() {
        tell("settle\n");
    }

    public boolean awaitSettled(Duration limit) throws InterruptedException {
        return settled.await(limit.toSeconds(), TimeUnit.SECONDS) && isAlive();
    }

    /** Tells it that all writers have ended. */
    public void readPages() {
        tell("read\n");
    }

    public boolean awaitComplete(Duration limit) throws InterruptedException {
        return complete.await(limit.toSeconds(), TimeUnit.SECONDS) && isAlive();
    }

    private void tell(String line) {
        try {
            OutputStream out = process.getOutputStream();
            out.write(line.getBytes(StandardCharsets.UTF_8));
            out.flush();
        } catch (IOException e) {
            // The process has ended, which its caller finds out.
        }
    }

    /** Kills it with SIGKILL. */
    public void kill() throws InterruptedException {
        killed = true;
        process.destroyForcibly().waitFor();
    }

    /** Stops it with SIGSTOP for a while. */
    public void pause(Duration duration) throws InterruptedException {
        signal("STOP");
        try {
            Thread.sleep(duration.toMillis());
        } finally {
            signal("CONT");
        }
    }

    private void signal(String name) throws InterruptedException {
        if (process.isAlive()) {
            try {
                new ProcessBuilder("sh", "-c", "kill -s \"$1\" \"$2\"", "sh", name, Long.toString(process.pid()))
                        .start()
                        .waitFor();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Ends it. */
    public void end() throws InterruptedException {
        killed = true;
        tell("end\n");
        if (!process.waitFor(5, TimeUnit.SECONDS)) {
            kill();
        }
    }
}

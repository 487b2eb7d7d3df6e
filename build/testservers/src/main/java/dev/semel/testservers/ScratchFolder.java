// SPDX-License-Identifier: Apache-2.0
package dev.semel.testservers;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * A folder and a process that works in it. Both end when the folder is closed or when this JVM ends.
 *
 * <p>A shell watches over them. It reads from a pipe which process to stop, and with which signal. When the pipe is closed,
 * also because this JVM was killed, the shell stops the process and deletes the folder. Unlike the parent-death signal of
 * Linux this also works on a Mac, deletes the files, and does not fire when the thread that started the process ends.
 */
final class ScratchFolder implements AutoCloseable {

    private static final String WATCH = """
            trap '' HUP INT QUIT TERM
            signal= pid=
            while read -r next_signal next_pid; do signal=$next_signal pid=$next_pid; done
            if [ -n "$pid" ]; then
                kill -s "$signal" "$pid"
                tries=0
                while kill -0 "$pid" && [ $tries -lt 50 ]; do sleep 0.1; tries=$((tries + 1)); done
                kill -s KILL "$pid"
            fi
            tries=0
            until rm -rf -- "$1" || [ $tries -ge 50 ]; do sleep 0.1; tries=$((tries + 1)); done
            """;
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(30);

    private final Path path;
    private final Process shell;

    private ScratchFolder(Path path) throws IOException {
        this.path = path;
        this.shell = new ProcessBuilder("sh", "-c", WATCH, "sh", path.toString())
                .directory(path.getRoot().toFile())
                .redirectOutput(Redirect.DISCARD)
                .redirectError(Redirect.DISCARD)
                .start();
    }

    static ScratchFolder inTemporaryFolder(String prefix) {
        return in(temporary(), prefix);
    }

    /** The folder for temporary files of this JVM. */
    static Path temporary() {
        return Path.of(System.getProperty("java.io.tmpdir"));
    }

    static ScratchFolder in(Path parent, String prefix) {
        try {
            return new ScratchFolder(Files.createTempDirectory(parent, prefix).toAbsolutePath());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path path() {
        return path;
    }

    /** The output of all processes that ran in the folder. */
    Path log() {
        return path.resolve("server.log");
    }

    /** From now on this process, and no other, is stopped with this signal when the folder is closed or this JVM ends. */
    void watch(String signal, long pid) {
        tell("%s %d\n".formatted(signal, pid));
    }

    /** The watched process has ended. Its id may soon belong to another process. */
    void forget() {
        tell("\n");
    }

    private void tell(String line) {
        try {
            OutputStream pipe = shell.getOutputStream();
            pipe.write(line.getBytes(StandardCharsets.US_ASCII));
            pipe.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("The shell that watches over %s has ended".formatted(path), e);
        }
    }

    @Override
    public void close() {
        try {
            shell.getOutputStream().close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        boolean ended = Await.until(CLOSE_LIMIT, () -> !shell.isAlive());
        if (!ended || Files.exists(path)) {
            shell.destroyForcibly();
            throw new IllegalStateException("Cannot delete " + path);
        }
    }

    /** Closes after a failure, and returns that failure to be thrown. */
    RuntimeException closeAfter(RuntimeException failure) {
        try {
            close();
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
        }
        return failure;
    }
}

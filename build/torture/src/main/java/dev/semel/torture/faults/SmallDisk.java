// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.faults;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A file system of its own in memory, which can be made full without a byte of ballast: it shrinks to what is in it. A shell
 * unmounts it when it is closed, and also when this process is killed.
 */
public final class SmallDisk implements AutoCloseable {
    private static final long BYTES = 2L << 30;

    /** As much as one page, so that the size is never below what is used. */
    private static final long ROUNDING = 64 * 1024;

    private static final String WATCH = """
            trap '' HUP INT QUIT TERM
            while read -r line; do :; done
            tries=0
            until umount "$1" || [ $tries -ge 100 ]; do sleep 0.1; tries=$((tries + 1)); done
            rmdir "$1"
            """;

    private final Path path;
    private final Process shell;

    private SmallDisk(Path path, Process shell) {
        this.path = path;
        this.shell = shell;
    }

    /** Mounts one. Empty if this user must not, or this system cannot. */
    public static Optional<SmallDisk> mount() throws IOException, InterruptedException {
        Path path = Files.createTempDirectory("semel-disk-");
        String options = "size=%d,mode=755".formatted(BYTES);
        if (!succeeds(List.of("mount", "-t", "tmpfs", "-o", options, "tmpfs", path.toString()))) {
            Files.delete(path);
            return Optional.empty();
        }
        Process shell = new ProcessBuilder("sh", "-c", WATCH, "sh", path.toString())
                .directory(path.getRoot().toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        return Optional.of(new SmallDisk(path, shell));
    }

    private static boolean succeeds(List<String> command) throws InterruptedException {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return process.waitFor() == 0 && output.isBlank();
        } catch (IOException absent) {
            return false;
        }
    }

    Path path() {
        return path;
    }

    /** How many bytes its files have. */
    public long used() throws IOException {
        FileStore store = Files.getFileStore(path);
        return store.getTotalSpace() - store.getUnallocatedSpace();
    }

    /** Nothing more can be written, except into what files have already. */
    public void fill() throws IOException, InterruptedException {
        resize(used() + ROUNDING);
    }

    /** Ends {@link #fill}. */
    public void grow() throws InterruptedException {
        resize(BYTES);
    }

    private void resize(long bytes) throws InterruptedException {
        succeeds(List.of("mount", "-o", "remount,size=" + bytes, path.toString()));
    }

    @Override
    public void close() throws IOException {
        shell.getOutputStream().close();
        try {
            shell.waitFor(20, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

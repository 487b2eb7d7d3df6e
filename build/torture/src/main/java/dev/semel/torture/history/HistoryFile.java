// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.history;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The history of one process. Every event is in the hands of the operating system before {@link #write} returns, so a killed
 * process loses none.
 */
public final class HistoryFile implements AutoCloseable {
    private final OutputStream file;

    private HistoryFile(OutputStream file) {
        this.file = file;
    }

    public static HistoryFile create(Path path) {
        try {
            return new HistoryFile(Files.newOutputStream(path));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public void write(RecordedEvent event) {
        byte[] line = HistoryLine.of(event).getBytes(StandardCharsets.UTF_8);
        synchronized (file) {
            try {
                file.write(line);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

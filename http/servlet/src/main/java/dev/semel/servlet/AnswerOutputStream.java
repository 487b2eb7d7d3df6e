// SPDX-License-Identifier: Apache-2.0
package dev.semel.servlet;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;

/** Writes to an {@link AnswerBuffer}. Closing it ends the body and does not commit the response. */
final class AnswerOutputStream extends ServletOutputStream {
    private final AnswerBuffer answer;
    private final GuardedExchange exchange;
    private volatile boolean closed;

    AnswerOutputStream(AnswerBuffer answer, GuardedExchange exchange) {
        this.answer = answer;
        this.exchange = exchange;
    }

    @Override
    public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        if (!closed) {
            answer.write(bytes, offset, length);
        }
    }

    @Override
    public void flush() throws IOException {
        if (!closed) {
            answer.flush();
        }
    }

    @Override
    public void close() {
        closed = true;
    }

    @Override
    public boolean isReady() {
        return true;
    }

    /** Writing to the buffer never blocks, so everything can be written at once. */
    @Override
    public void setWriteListener(WriteListener listener) {
        exchange.onContainerThread(() -> {
            try {
                listener.onWritePossible();
            } catch (IOException e) {
                listener.onError(e);
            }
        });
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.servlet;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;

/** A stream over a body in memory. */
final class BodyStream extends ServletInputStream {
    private final ByteArrayInputStream in;
    private final GuardedExchange exchange;

    BodyStream(byte[] body, GuardedExchange exchange) {
        this.in = new ByteArrayInputStream(body);
        this.exchange = exchange;
    }

    @Override
    public int read() {
        return in.read();
    }

    @Override
    public int read(byte[] bytes, int offset, int length) {
        return in.read(bytes, offset, length);
    }

    @Override
    public int available() {
        return in.available();
    }

    @Override
    public boolean isFinished() {
        return in.available() == 0;
    }

    @Override
    public boolean isReady() {
        return true;
    }

    /** The whole body is available: notifies the listener of the data, and then of the end. */
    @Override
    public void setReadListener(ReadListener listener) {
        exchange.onContainerThread(() -> {
            try {
                if (!isFinished()) {
                    listener.onDataAvailable();
                }
                listener.onAllDataRead();
            } catch (IOException e) {
                listener.onError(e);
            }
        });
    }
}

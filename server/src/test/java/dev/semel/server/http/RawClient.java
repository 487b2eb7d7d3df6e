// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;

/** Sends bytes that no HTTP client would send. */
public final class RawClient implements AutoCloseable {
    private final Socket socket;

    public RawClient(int port) throws IOException {
        this("127.0.0.1", port);
    }

    /** Connects from another local address. */
    public RawClient(String address, int port) throws IOException {
        socket = socket(address, port);
        socket.setSoTimeout(60_000);
    }

    static Socket socket(String address, int port) throws IOException {
        return new Socket(InetAddress.getAllByName("127.0.0.1")[0], port, InetAddress.getAllByName(address)[0], 0);
    }

    /** Reads exactly this text. */
    public RawClient read(String text) throws IOException {
        String got = until(text);
        if (!got.equals(text)) {
            throw new IOException("The server sent something else first");
        }
        return this;
    }

    public void abort() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public RawClient send(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        socket.getOutputStream().flush();
        return this;
    }

    /** Reads until the server closes the connection. */
    public String untilClosed() throws IOException {
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    /** Reads until this text has arrived. */
    public String until(String text) throws IOException {
        ByteArrayOutputStream read = new ByteArrayOutputStream();
        while (!read.toString(StandardCharsets.UTF_8).contains(text)) {
            int next = socket.getInputStream().read();
            if (next < 0) {
                throw new SocketTimeoutException("The connection ended before: " + text);
            }
            read.write(next);
        }
        return read.toString(StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A server that answers its first request at once and writes the body slowly until the client disconnects. */
public final class TricklingServer implements AutoCloseable {
    private final ServerSocket server;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final CompletableFuture<Long> closed = new CompletableFuture<>();

    private TricklingServer(ServerSocket server) {
        this.server = server;
    }

    /**
     * Starts a server.
     *
     * @param piece the number of bytes in each write
     * @param pauseMillis the pause between two writes
     */
    public static TricklingServer of(int piece, long pauseMillis) {
        try {
            TricklingServer made = new TricklingServer(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
            Thread thread = new Thread(() -> made.serve(piece, pauseMillis), "trickling");
            thread.setDaemon(true);
            thread.start();
            return made;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public URI uri() {
        return URI.create("http://127.0.0.1:" + server.getLocalPort() + "/");
    }

    /** Completes when the client closes the connection, with the number of body bytes written before. */
    public CompletableFuture<Long> closed() {
        return closed;
    }

    private void serve(int piece, long pauseMillis) {
        long written = 0;
        try (Socket socket = server.accept()) {
            InputStream in = socket.getInputStream();
            OutputStream out = socket.getOutputStream();
            in.read(new byte[8192]);
            out.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            byte[] chunk = "%x\r\n%s\r\n".formatted(piece, "x".repeat(piece)).getBytes(StandardCharsets.US_ASCII);
            do {
                out.write(chunk);
                out.flush();
                written += piece;
            } while (!ended.await(pauseMillis, TimeUnit.MILLISECONDS));
        } catch (IOException e) {
            closed.complete(written);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        ended.countDown();
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

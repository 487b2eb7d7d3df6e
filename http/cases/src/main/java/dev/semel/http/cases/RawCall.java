// SPDX-License-Identifier: Apache-2.0
package dev.semel.http.cases;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** One request on its own connection. */
final class RawCall implements AutoCloseable {
    private static final int TIMEOUT_MILLIS = 40_000;
    private static final int MAX_BYTES = 32 << 20;

    private final CaseRequest request;
    private final Socket socket;
    private final ByteArrayOutputStream received = new ByteArrayOutputStream();
    private final CompletableFuture<RawAnswer> answer;

    private RawCall(CaseRequest request, Socket socket, String host) {
        this.request = request;
        this.socket = socket;
        this.answer = CompletableFuture.supplyAsync(() -> exchanged(host), task -> {
            Thread thread = new Thread(task, "raw-call");
            thread.setDaemon(true);
            thread.start();
        });
    }

    static RawCall start(URI server, CaseRequest request) {
        try {
            Socket socket = new Socket();
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.connect(new InetSocketAddress(server.getHost(), server.getPort()), TIMEOUT_MILLIS);
            return new RawCall(request, socket, server.getHost() + ":" + server.getPort());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends the request and waits for the answer. */
    static RawAnswer answer(URI server, CaseRequest request) {
        try (RawCall call = start(server, request)) {
            return call.answer();
        }
    }

    CaseRequest request() {
        return request;
    }

    private RawAnswer exchanged(String host) {
        try {
            send(request.bytes(host));
            InputStream in = socket.getInputStream();
            byte[] buffer = new byte[8_192];
            for (int size = in.read(buffer); size >= 0; size = in.read(buffer)) {
                synchronized (received) {
                    received.write(buffer, 0, size);
                    if (received.size() > MAX_BYTES) {
                        throw new IllegalStateException("The answer has too many bytes");
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("After " + new String(received(), StandardCharsets.UTF_8), e);
        }
        return RawAnswer.of(received(), request.method().equals("HEAD"));
    }

    /** Ignores failures, because a server may answer and close before it has read everything. */
    private void send(byte[] bytes) throws IOException {
        OutputStream out = socket.getOutputStream();
        try {
            out.write(bytes);
            out.flush();
        } catch (IOException e) {
            if (socket.isClosed()) {
                throw e;
            }
        }
    }

    /** The bytes received so far, including the headers. */
    byte[] received() {
        synchronized (received) {
            return received.toByteArray();
        }
    }

    RawAnswer answer() {
        try {
            return answer.get(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new CompletionException(e.getCause());
        } catch (InterruptedException | TimeoutException e) {
            throw new AssertionError("No answer to %s %s".formatted(request.method(), request.target()), e);
        }
    }

    /** Closes the connection. */
    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

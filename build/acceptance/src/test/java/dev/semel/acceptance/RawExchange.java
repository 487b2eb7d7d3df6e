// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import dev.semel.acceptance.hostile.HostileCase;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** One connection: sends any bytes and collects all that the server returns. */
@SuppressWarnings("ArrayRecordComponent") // Never compared and never changed.
record RawExchange(byte[] received, boolean ended) {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    /** Sends a request, one byte per character. */
    static RawExchange send(int port, String request) {
        return send(
                port,
                new HostileCase("", request.getBytes(StandardCharsets.ISO_8859_1), HostileCase.Kind.CONTENT, Set.of()));
    }

    static RawExchange send(int port, HostileCase hostile) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            socket.setSoTimeout((int) LIMIT.toMillis());
            // A server may answer and close before it has read everything. Its response must still be read.
            CompletableFuture<Void> sending = CompletableFuture.runAsync(() -> write(socket, hostile));
            ByteArrayOutputStream received = new ByteArrayOutputStream();
            boolean ended = drain(socket.getInputStream(), received);
            socket.close();
            sending.join();
            return new RawExchange(received.toByteArray(), ended);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Whether the server answers on a new connection. */
    static boolean isAnswered(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout((int) LIMIT.toMillis());
            socket.getOutputStream()
                    .write("GET /health/live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII).equals("HTTP/1.1 200");
        } catch (IOException e) {
            return false;
        }
    }

    private static void write(Socket socket, HostileCase hostile) {
        try {
            socket.getOutputStream().write(hostile.bytes());
            socket.getOutputStream().flush();
            if (hostile.kind() == HostileCase.Kind.TORN) {
                socket.shutdownOutput();
            }
        } catch (IOException hungUp) {
            // The server may close. The reader receives what it sent before.
        }
    }

    /** Reads until the server closes the connection. Returns false if it does not. */
    private static boolean drain(InputStream in, ByteArrayOutputStream received) {
        byte[] buffer = new byte[8_192];
        try {
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                received.write(buffer, 0, n);
            }
            return true;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException reset) {
            return true;
        }
    }

    /** The number of responses. */
    long answers() {
        return (" " + text()).split("HTTP/1\\.[01] [1-5]", -1).length - 1L;
    }

    /** The first response, if any. */
    Optional<Answer> answer() {
        if (received.length == 0) {
            return Optional.empty();
        }
        String[] parts = text().split("\r\n\r\n", 2);
        List<String> head = parts[0].lines().toList();
        Map<String, List<String>> headers = new HashMap<>();
        for (String line : head.subList(1, head.size())) {
            int colon = line.indexOf(':');
            headers.computeIfAbsent(line.substring(0, colon), name -> new ArrayList<>())
                    .add(line.substring(colon + 1).strip());
        }
        int status = Integer.parseInt(head.get(0).split(" ", -1)[1]);
        return Optional.of(new Answer(
                status,
                HttpHeaders.of(headers, (name, value) -> true),
                parts[1].getBytes(StandardCharsets.ISO_8859_1)));
    }

    private String text() {
        return new String(received, StandardCharsets.ISO_8859_1);
    }
}

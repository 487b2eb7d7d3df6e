// SPDX-License-Identifier: Apache-2.0
package dev.semel.servlet;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** Raw HTTP over a socket. */
final class RawRequests {
    private RawRequests() {}

    /** Sends an empty POST on an open connection. */
    static Socket open(URI server, String path, String key) throws IOException {
        Socket socket = new Socket(server.getHost(), server.getPort());
        socket.setSoTimeout(40_000);
        socket.getOutputStream()
                .write(
                        "POST %s HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTE: trailers\r\nIdempotency-Key: %s\r\nContent-Length: 0\r\n\r\n"
                                .formatted(path, key)
                                .getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    /** Reads the whole answer. */
    static String post(URI server, String path, String key) throws IOException {
        try (Socket socket = open(server, path, key)) {
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }
}

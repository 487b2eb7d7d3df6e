// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import java.nio.charset.StandardCharsets;

/** Complete requests in ASCII. */
final class HttpRequest {
    private HttpRequest() {}

    static byte[] get(String path) {
        return bytes("GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
    }

    static byte[] json(String path, String body) {
        return post(path, "application/json", body);
    }

    /** @param header a whole header line, without the line end */
    static byte[] json(String path, String header, String body) {
        return post(path, "application/json\r\n" + header, body);
    }

    static byte[] lines(String path, String body) {
        return post(path, "application/x-ndjson", body);
    }

    private static byte[] post(String path, String type, String body) {
        return bytes("POST " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: " + type + "\r\nContent-Length: "
                + body.length() + "\r\n\r\n" + body);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}

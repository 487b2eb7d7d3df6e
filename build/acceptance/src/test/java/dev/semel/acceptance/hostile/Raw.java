// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance.hostile;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Writes valid and invalid requests as bytes. Each one asks to close the connection, so that the response ends. */
final class Raw {
    private final String first;
    private final List<String> headers = new ArrayList<>();

    private Raw(String first) {
        this.first = first;
    }

    static Raw request(String method, String target) {
        return new Raw(method + " " + target + " HTTP/1.1")
                .header("Host", "127.0.0.1")
                .header("Connection", "close");
    }

    static Raw line(String first) {
        return new Raw(first).header("Host", "127.0.0.1").header("Connection", "close");
    }

    Raw header(String name, String value) {
        return rawHeader(name + ": " + value);
    }

    Raw rawHeader(String line) {
        headers.add(line);
        return this;
    }

    Raw without(String name) {
        headers.removeIf(line -> line.startsWith(name + ":"));
        return this;
    }

    String head() {
        return first + "\r\n" + String.join("\r\n", headers) + "\r\n\r\n";
    }

    byte[] empty() {
        return HostileCase.latin1(head());
    }

    byte[] json(byte[] body) {
        return body("application/json", body);
    }

    byte[] json(String body) {
        return json(body.getBytes(StandardCharsets.UTF_8));
    }

    byte[] body(String type, byte[] body) {
        header("Content-Type", type);
        return body(body);
    }

    byte[] body(byte[] body) {
        header("Content-Length", "" + body.length);
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(empty());
        all.writeBytes(body);
        return all.toByteArray();
    }
}

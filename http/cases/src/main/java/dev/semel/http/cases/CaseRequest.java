// SPDX-License-Identifier: Apache-2.0
package dev.semel.http.cases;

import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonArray;
import dev.semel.payload.json.JsonString;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * A request in the form that is sent.
 *
 * @param target path and query
 * @param headers whole lines. Host, Connection and the headers for the body are added.
 * @param chunked whether the body is sent in chunks
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
record CaseRequest(String method, String target, List<String> headers, byte[] body, boolean chunked) {
    private static final int CHUNK = 1_000;

    /** @param id the default key */
    static CaseRequest of(Members members, String id) {
        List<String> headers = new ArrayList<>();
        if (!members.isNull("key")) {
            headers.add("Idempotency-Key: " + members.text("key").orElse(id));
        }
        members.text("type").ifPresent(type -> headers.add("Content-Type: " + type));
        headers.addAll(members.texts("headers"));
        CaseRequest request = new CaseRequest(
                members.text("method").orElse("POST"),
                members.text("target").orElseThrow(() -> new IllegalArgumentException("A request must have a target")),
                List.copyOf(headers),
                members.json("body").map(CaseRequest::bytes).orElse(new byte[0]),
                members.flag("chunked"));
        members.end();
        return request;
    }

    /** Reads text, {@code {"base64": ...}}, {@code {"repeat": "ab", "bytes": 5}}, or a list of these. */
    private static byte[] bytes(Json json) {
        if (json instanceof JsonString text) {
            return text.value().getBytes(StandardCharsets.UTF_8);
        }
        if (json instanceof JsonArray parts) {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            parts.elements().forEach(part -> all.writeBytes(bytes(part)));
            return all.toByteArray();
        }
        Members members = Members.of("A body", json);
        Optional<String> base64 = members.text("base64");
        byte[] bytes = base64.isPresent()
                ? Base64.getDecoder().decode(base64.get())
                : repeated(
                        members.text("repeat").orElseThrow(),
                        members.number("bytes").orElseThrow());
        members.end();
        return bytes;
    }

    static byte[] repeated(String text, int size) {
        byte[] pattern = text.getBytes(StandardCharsets.UTF_8);
        byte[] all = new byte[size];
        for (int i = 0; i < size; i++) {
            all[i] = pattern[i % pattern.length];
        }
        return all;
    }

    String path() {
        int query = target.indexOf('?');
        return query < 0 ? target : target.substring(0, query);
    }

    byte[] bytes(String host) {
        StringBuilder head =
                new StringBuilder(method).append(' ').append(target).append(" HTTP/1.1\r\n");
        head.append("Host: ").append(host).append("\r\nConnection: close\r\n");
        headers.forEach(line -> head.append(line).append("\r\n"));
        if (chunked) {
            head.append("Transfer-Encoding: chunked\r\n");
        } else if (!names("content-length")
                && (body.length > 0 || !Set.of("GET", "HEAD").contains(method))) {
            head.append("Content-Length: ").append(body.length).append("\r\n");
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream(body.length + head.length() + 2);
        out.writeBytes(head.append("\r\n").toString().getBytes(StandardCharsets.UTF_8));
        if (!chunked) {
            out.writeBytes(body);
            return out.toByteArray();
        }
        for (int from = 0; from < body.length; from += CHUNK) {
            int size = Math.min(CHUNK, body.length - from);
            out.writeBytes((Integer.toHexString(size) + "\r\n").getBytes(StandardCharsets.US_ASCII));
            out.write(body, from, size);
            out.writeBytes("\r\n".getBytes(StandardCharsets.US_ASCII));
        }
        out.writeBytes("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        return out.toByteArray();
    }

    private boolean names(String header) {
        return headers.stream().anyMatch(line -> line.toLowerCase(Locale.ROOT).startsWith(header + ":"));
    }
}

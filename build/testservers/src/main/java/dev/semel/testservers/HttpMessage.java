// SPDX-License-Identifier: Apache-2.0
package dev.semel.testservers;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A request or an answer of HTTP/1.1 as it is on the wire, but with a length instead of chunks. The JDK's own server cannot be used for
 * a proxy that changes or removes the {@code Date}: it always sets it.
 */
final class HttpMessage {
    private static final int LARGEST_HEAD = 64 * 1024;
    private static final int LARGEST_BODY = 32 << 20;
    private static final String LENGTH = "Content-Length";
    private static final String CODING = "Transfer-Encoding";

    private final List<String> lines;
    private final byte[] body;

    /** @param lines the first line and the headers */
    HttpMessage(List<String> lines, byte[] body) {
        this.lines = List.copyOf(lines);
        this.body = body;
    }

    /** The next message of a connection; null if the other side has closed it. */
    static @Nullable HttpMessage read(InputStream in) throws IOException {
        List<String> lines = new ArrayList<>();
        int head = 0;
        for (String line = line(in); line == null || !line.isEmpty(); line = line(in)) {
            if (line == null && lines.isEmpty()) {
                return null;
            }
            head += line == null ? 0 : line.length();
            if (line == null || head > LARGEST_HEAD) {
                throw new IOException("The head of a message is cut off or too large");
            }
            lines.add(line);
        }
        HttpMessage bare = new HttpMessage(lines, new byte[0]);
        if (bare.header(CODING).orElse("").equalsIgnoreCase("chunked")) {
            return new HttpMessage(lines, chunks(in)).without(CODING);
        }
        return new HttpMessage(
                lines, bytes(in, Integer.parseInt(bare.header(LENGTH).orElse("0"))));
    }

    private static @Nullable String line(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0 || line.size() > LARGEST_HEAD) {
                return null;
            }
            line.write(next);
        }
        return line.toString(StandardCharsets.ISO_8859_1).stripTrailing();
    }

    private static byte[] bytes(InputStream in, int length) throws IOException {
        if (length > LARGEST_BODY) {
            throw new IOException("The body of a message is too large");
        }
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("The connection ended within a body");
        }
        return bytes;
    }

    private static byte[] chunks(InputStream in) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        while (true) {
            String size = line(in);
            if (size == null || body.size() > LARGEST_BODY) {
                throw new IOException("The body of a message is cut off or too large");
            }
            byte[] chunk = bytes(in, Integer.parseInt(size.split(";", 2)[0].strip(), 16));
            line(in);
            if (chunk.length == 0) {
                return body.toByteArray();
            }
            body.write(chunk);
        }
    }

    Optional<String> header(String name) {
        String start = name + ":";
        return lines.stream()
                .filter(line -> line.regionMatches(true, 0, start, 0, start.length()))
                .map(line -> line.substring(start.length()).strip())
                .findFirst();
    }

    HttpMessage without(String name) {
        String start = name + ":";
        return new HttpMessage(
                lines.stream()
                        .filter(line -> !line.regionMatches(true, 0, start, 0, start.length()))
                        .toList(),
                body);
    }

    HttpMessage with(String name, String value) {
        List<String> more = new ArrayList<>(without(name).lines);
        more.add(name + ": " + value);
        return new HttpMessage(more, body);
    }

    void write(OutputStream out) throws IOException {
        HttpMessage exact = with(LENGTH, Integer.toString(body.length));
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.write((String.join("\r\n", exact.lines) + "\r\n\r\n").getBytes(StandardCharsets.ISO_8859_1));
        all.write(body);
        out.write(all.toByteArray());
        out.flush();
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.http.cases;

import dev.semel.http.HeaderLine;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A raw HTTP answer.
 *
 * @param headers in order, with duplicates
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
public record RawAnswer(int status, List<HeaderLine> headers, byte[] body) {
    private static final byte[] END_OF_HEAD = {'\r', '\n', '\r', '\n'};

    /**
     * Parses the bytes that were received until the connection ended.
     *
     * @throws IllegalArgumentException if they are not a complete answer
     */
    static RawAnswer of(byte[] bytes, boolean toHead) {
        int end = indexOf(bytes, END_OF_HEAD, 0);
        if (end < 0) {
            throw new IllegalArgumentException("The answer is incomplete: the connection ended after %d bytes: %s"
                    .formatted(bytes.length, new String(bytes, StandardCharsets.UTF_8)));
        }
        String[] lines = new String(bytes, 0, end, StandardCharsets.ISO_8859_1).split("\r\n", -1);
        int status = Integer.parseInt(lines[0].split(" ", 3)[1]);
        byte[] rest = Arrays.copyOfRange(bytes, end + END_OF_HEAD.length, bytes.length);
        if (status < 200) {
            return of(rest, toHead);
        }
        List<HeaderLine> headers = new ArrayList<>();
        for (String line : Arrays.asList(lines).subList(1, lines.length)) {
            int colon = line.indexOf(':');
            headers.add(new HeaderLine(
                    line.substring(0, colon), line.substring(colon + 1).strip()));
        }
        RawAnswer head = new RawAnswer(status, List.copyOf(headers), new byte[0]);
        return new RawAnswer(status, head.headers(), toHead ? new byte[0] : head.framed(rest));
    }

    private byte[] framed(byte[] rest) {
        if (header("Transfer-Encoding").filter("chunked"::equalsIgnoreCase).isPresent()) {
            return unchunked(rest);
        }
        Optional<Integer> length = header("Content-Length").map(Integer::valueOf);
        if (length.isPresent() && status != 304 && length.get() != rest.length) {
            throw new IllegalArgumentException(
                    "Content-Length is %d, but %d bytes were received".formatted(length.get(), rest.length));
        }
        return rest;
    }

    private static byte[] unchunked(byte[] rest) {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        int at = 0;
        while (true) {
            int line = indexOf(rest, new byte[] {'\r', '\n'}, at);
            if (line < 0) {
                throw new IllegalArgumentException(
                        "The chunked answer is truncated after %d bytes".formatted(body.size()));
            }
            String size = new String(rest, at, line - at, StandardCharsets.US_ASCII);
            int length = Integer.parseInt(size.split(";", 2)[0].strip(), 16);
            if (length == 0) {
                return body.toByteArray();
            }
            if (line + 2 + length > rest.length) {
                throw new IllegalArgumentException("The last chunk is truncated");
            }
            body.write(rest, line + 2, length);
            at = line + 2 + length + 2;
        }
    }

    static int indexOf(byte[] bytes, byte[] part, int from) {
        for (int i = from; i <= bytes.length - part.length; i++) {
            if (Arrays.equals(bytes, i, i + part.length, part, 0, part.length)) {
                return i;
            }
        }
        return -1;
    }

    /** The value of the first header of this name. */
    public Optional<String> header(String name) {
        return headers(name).stream().findFirst();
    }

    /** The values of all lines of this name, in order. */
    public List<String> headers(String name) {
        return headers.stream()
                .filter(line -> line.name().toLowerCase(Locale.ROOT).equals(name.toLowerCase(Locale.ROOT)))
                .map(HeaderLine::value)
                .toList();
    }

    /** The body as UTF-8. */
    public String text() {
        return new String(body, StandardCharsets.UTF_8);
    }

    /** Status, headers and body, for messages and searches. */
    @Override
    public String toString() {
        String shown = text();
        return "%d %s %s".formatted(status, headers, shown.length() > 500 ? shown.substring(0, 500) + "..." : shown);
    }
}

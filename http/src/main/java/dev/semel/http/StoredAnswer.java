// SPDX-License-Identifier: Apache-2.0
package dev.semel.http;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The stored form of an answer. Its layout:
 *
 * <pre>
 *   version (1) | form (1) | status (2) | expiry (8) | note (2 + n) | headers (2) | (name (2 + n) | value (2 + n))* | body
 * </pre>
 *
 * @param note the reason for a missing body, or empty
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
record StoredAnswer(Form form, int status, Expiry expiry, String note, List<HeaderLine> headers, byte[] body) {
    /** The maximum size of all headers together. An answer with larger headers is stored without headers. */
    static final int MAX_HEADER_BYTES = 32 << 10;

    private static final byte VERSION = 1;
    private static final long NEVER = Long.MIN_VALUE;

    /** How a replay relates to the first answer. */
    enum Form {
        /** The replay is identical to the first answer. */
        EXACT(1),
        /** The replay has no sensitive content. */
        SANITISED(2),
        /** The replay has only the status. */
        NONE(3);

        private final byte code;

        Form(int code) {
            this.code = (byte) code;
        }

        private static Form of(byte code) {
            for (Form form : values()) {
                if (form.code == code) {
                    return form;
                }
            }
            throw new IllegalArgumentException(
                    "A stored answer has the unknown form %d: a newer version of Semel wrote it".formatted(code));
        }
    }

    StoredAnswer {
        headers = List.copyOf(headers);
    }

    static StoredAnswer nothing(int status, Expiry expiry, String why) {
        return new StoredAnswer(Form.NONE, status, expiry, why, List.of(), new byte[0]);
    }

    /** The stored size in bytes. A text must not be longer than its length field allows. */
    static int sizeOf(List<HeaderLine> headers) {
        return headers.stream()
                .mapToInt(line -> utf8(line.name()).length + utf8(line.value()).length)
                .sum();
    }

    byte[] bytes() {
        List<byte[]> texts = new ArrayList<>();
        texts.add(utf8(note));
        headers.forEach(line -> {
            texts.add(utf8(line.name()));
            texts.add(utf8(line.value()));
        });
        int size = 1 + 1 + Short.BYTES + Long.BYTES + Short.BYTES + body.length;
        size += texts.stream().mapToInt(text -> Short.BYTES + text.length).sum();
        ByteBuffer out = ByteBuffer.allocate(size)
                .put(VERSION)
                .put(form.code)
                .putShort((short) status)
                .putLong(expiry.epochSecond() == null ? NEVER : expiry.epochSecond());
        put(out, texts.get(0));
        out.putShort((short) headers.size());
        texts.subList(1, texts.size()).forEach(text -> put(out, text));
        return out.put(body).array();
    }

    /** @throws IllegalArgumentException if the bytes are not a stored answer of a known version */
    static StoredAnswer of(byte[] bytes) {
        try {
            ByteBuffer in = ByteBuffer.wrap(bytes);
            int version = in.get();
            if (version != VERSION) {
                throw new IllegalArgumentException(
                        "A stored answer has the unknown version %d: a newer version of Semel wrote it"
                                .formatted(version));
            }
            Form form = Form.of(in.get());
            int status = in.getShort();
            long expiry = in.getLong();
            String note = text(in);
            int count = in.getShort();
            List<HeaderLine> headers = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                headers.add(new HeaderLine(text(in), text(in)));
            }
            byte[] body = new byte[in.remaining()];
            in.get(body);
            return new StoredAnswer(form, status, new Expiry(expiry == NEVER ? null : expiry), note, headers, body);
        } catch (BufferUnderflowException | IndexOutOfBoundsException | NegativeArraySizeException e) {
            throw new IllegalArgumentException("A stored answer is truncated", e);
        }
    }

    private static void put(ByteBuffer out, byte[] text) {
        out.putShort((short) text.length).put(text);
    }

    private static String text(ByteBuffer in) {
        byte[] text = new byte[Short.toUnsignedInt(in.getShort())];
        in.get(text);
        return new String(text, StandardCharsets.UTF_8);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}

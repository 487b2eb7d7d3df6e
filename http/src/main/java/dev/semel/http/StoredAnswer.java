// SPDX-License-Identifier: Apache-2.0
package dev.semel.http;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * An answer as it is stored. Laid out as:
 *
 * <pre>
 *   version (1) | form (1) | status (2) | expiry (8) | note (2 + n) | headers (2) | (name (2 + n) | value (2 + n))* | body
 * </pre>
 *
 * @param note why there is no body; empty if there is one
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
record StoredAnswer(Form form, int status, Expiry expiry, String note, List<HeaderLine> headers, byte[] body) {
    /** The most bytes of all headers together; an answer with more is stored without any. */
    static final int MAX_HEADER_BYTES = 32 << 10;

    private static final byte VERSION = 1;
    private static final long NEVER = Long.MIN_VALUE;

    /** What a replay of it is like. */
    enum Form {
        /** The first answer byte for byte. */
        EXACT(1),
        /** The first answer without what is sensitive. */
        SANITISED(2),
        /** Only that there was one, and its status. */
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
            throw new IllegalArgumentException("A stored answer has form %d: a newer Semel wrote it".formatted(code));
        }
    }

    StoredAnswer {
        headers = List.copyOf(headers);
    }

    static StoredAnswer nothing(int status, Expiry expiry, String why) {
        return new StoredAnswer(Form.NONE, status, expiry, why, List.of(), new byte[0]);
    }

    /** In bytes as they are stored: a text must not be longer than its length can say. */
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

    /** @throws IllegalArgumentException if these bytes are no stored answer of a version that is known */
    static StoredAnswer of(byte[] bytes) {
        try {
            ByteBuffer in = ByteBuffer.wrap(bytes);
            int version = in.get();
            if (version != VERSION) {
                throw new IllegalArgumentException(
                        "A stored answer has version %d: a newer Semel wrote it".formatted(version));
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
            throw new IllegalArgumentException("A stored answer is cut off", e);
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

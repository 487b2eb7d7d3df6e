// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload.compare;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A keyed hash of every leaf of a document, by pointer. It explains later where another document differs. As bytes:
 *
 * <pre>
 *   version (1) | complete (1) | secret id (8) | number of leaves (2) | leaves
 *   leaf: length of the pointer (2) | pointer in UTF-8 | hash (8)
 * </pre>
 *
 * <p>A hash of eight bytes is sufficient: a sketch only explains a difference, the full fingerprint decides.
 */
record Sketch(String secretId, boolean complete, Map<String, Long> leaves) {
    static final int HEADER = 12;
    private static final int VERSION = 1;
    private static final int ID_BYTES = 8;

    Sketch {
        leaves = Collections.unmodifiableMap(new TreeMap<>(leaves));
    }

    /** The number of bytes of a leaf with this pointer. */
    static int sizeOf(String pointer) {
        return Short.BYTES + pointer.getBytes(StandardCharsets.UTF_8).length + Long.BYTES;
    }

    byte[] bytes() {
        int size = HEADER + leaves.keySet().stream().mapToInt(Sketch::sizeOf).sum();
        ByteBuffer out = ByteBuffer.allocate(size)
                .put((byte) VERSION)
                .put((byte) (complete ? 1 : 0))
                .put(HexFormat.of().parseHex(secretId))
                .putShort((short) leaves.size());
        leaves.forEach((pointer, hash) -> {
            byte[] utf8 = pointer.getBytes(StandardCharsets.UTF_8);
            out.putShort((short) utf8.length).put(utf8).putLong(hash);
        });
        return out.array();
    }

    /** Reads a sketch. Empty if this version cannot read the bytes: the difference then stays unexplained. */
    static Optional<Sketch> of(byte[] bytes) {
        try {
            ByteBuffer in = ByteBuffer.wrap(bytes);
            if (in.get() != VERSION) {
                return Optional.empty();
            }
            boolean complete = in.get() == 1;
            byte[] id = new byte[ID_BYTES];
            in.get(id);
            int count = Short.toUnsignedInt(in.getShort());
            Map<String, Long> leaves = new TreeMap<>();
            for (int i = 0; i < count; i++) {
                byte[] pointer = new byte[Short.toUnsignedInt(in.getShort())];
                in.get(pointer);
                leaves.put(new String(pointer, StandardCharsets.UTF_8), in.getLong());
            }
            return in.hasRemaining()
                    ? Optional.empty()
                    : Optional.of(new Sketch(HexFormat.of().formatHex(id), complete, leaves));
        } catch (BufferUnderflowException e) {
            return Optional.empty();
        }
    }
}

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
 * What is remembered of a document to explain a difference later: a keyed hash of every leaf, by its pointer. As bytes:
 *
 * <pre>
 *   version (1) | complete (1) | secret id (8) | number of leaves (2) | leaves
 *   leaf: length of the pointer (2) | pointer in UTF-8 | hash (8)
 * </pre>
 *
 * <p>Eight bytes of hash are enough here: a sketch only explains, the full fingerprint decides.
 */
record Sketch(String secretId, boolean complete, Map<String, Long> leaves) {
    static final int HEADER = 12;
    private static final int VERSION = 1;
    private static final int ID_BYTES = 8;

    Sketch {
        leaves = Collections.unmodifiableMap(new TreeMap<>(leaves));
    }

    /** What a leaf with this pointer costs. */
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

    /** Empty if these bytes are no sketch that this version understands: a difference then stays unexplained. */
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

// SPDX-License-Identifier: Apache-2.0
package dev.semel.kafka;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * What identifies a record, for {@link dev.semel.messaging.ConsumerGateBuilder#key}. Prefer an id that the sender gives the
 * message.
 */
public final class RecordKeys {
    private RecordKeys() {}

    /**
     * The text of the last header with this name. A record without it goes to the dead-letter sink, as does one whose header
     * is not UTF-8: for binary ids pass a function of your own.
     */
    public static Function<ConsumerRecord<?, ?>, @Nullable String> header(String name) {
        Objects.requireNonNull(name, "A header's name must not be null");
        return record -> {
            Header header = record.headers().lastHeader(name);
            return header == null || header.value() == null ? null : text(ByteBuffer.wrap(header.value()));
        };
    }

    /**
     * The record's own key, as text; bytes must be UTF-8. Only for topics in which each record has another key. A topic that is
     * partitioned by customer has many records of one key; here all but the first would be duplicates.
     */
    public static Function<ConsumerRecord<?, ?>, @Nullable String> recordKey() {
        return record -> {
            Object key = record.key();
            if (key instanceof byte[] bytes) {
                return text(ByteBuffer.wrap(bytes));
            }
            if (key instanceof ByteBuffer buffer) {
                return text(buffer.duplicate());
            }
            return key == null ? null : key.toString();
        };
    }

    /** Bytes that are no text are refused: a replacement character would make one key of many, so that messages were lost. */
    private static String text(ByteBuffer bytes) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException(
                    "The id of a record is not UTF-8 text: pass key(...) a function that makes text of its bytes,"
                            + " for example HexFormat.of()::formatHex",
                    e);
        }
    }

    /**
     * The record's place, {@code topic:partition:offset}. It recognises a record that Kafka delivers again. It does not
     * recognise a message that its sender published twice, or that was copied to another topic: these are different records.
     * If a topic is deleted and created again, its offsets begin again: change the scope of the gate.
     */
    public static Function<ConsumerRecord<?, ?>, @Nullable String> position() {
        return record -> "%s:%d:%d".formatted(record.topic(), record.partition(), record.offset());
    }
}

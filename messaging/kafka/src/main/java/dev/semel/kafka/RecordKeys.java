// SPDX-License-Identifier: Apache-2.0
package dev.semel.kafka;

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

    /** The text of the last header with this name. A record without it goes to the dead-letter sink. */
    public static Function<ConsumerRecord<?, ?>, @Nullable String> header(String name) {
        Objects.requireNonNull(name, "A header's name must not be null");
        return record -> {
            Header header = record.headers().lastHeader(name);
            return header == null || header.value() == null ? null : new String(header.value(), StandardCharsets.UTF_8);
        };
    }

    /**
     * The record's own key, as text. Only for topics in which each record has another key. A topic that is partitioned by
     * customer has many records of one key; here all but the first would be duplicates.
     */
    public static Function<ConsumerRecord<?, ?>, @Nullable String> recordKey() {
        return record -> {
            Object key = record.key();
            return key == null
                    ? null
                    : key instanceof byte[] bytes ? new String(bytes, StandardCharsets.UTF_8) : key.toString();
        };
    }

    /**
     * The record's place, {@code topic:partition:offset}. It recognises a record that Kafka delivers again. It does not
     * recognise a message that its sender published twice, or that was copied to another topic: these are different records.
     */
    public static Function<ConsumerRecord<?, ?>, @Nullable String> position() {
        return record -> "%s:%d:%d".formatted(record.topic(), record.partition(), record.offset());
    }
}

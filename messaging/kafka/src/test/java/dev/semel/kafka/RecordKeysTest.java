// SPDX-License-Identifier: Apache-2.0
package dev.semel.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

class RecordKeysTest {
    private static final ConsumerRecord<Object, String> RECORD = new ConsumerRecord<>("orders", 3, 42, "k", "v");

    @Test
    void aHeaderIsReadAsTextAndTheLastOneCounts() {
        ConsumerRecord<Object, String> record = new ConsumerRecord<>("orders", 3, 42, "k", "v");
        record.headers().add("id", "früher".getBytes(StandardCharsets.UTF_8));
        record.headers().add("id", "später".getBytes(StandardCharsets.UTF_8));

        assertThat(RecordKeys.header("id").apply(record)).isEqualTo("später");
        assertThat(RecordKeys.header("other").apply(record)).isNull();
        record.headers().add("empty", null);
        assertThat(RecordKeys.header("empty").apply(record)).isNull();
    }

    @Test
    void theRecordsKeyIsReadAsText() {
        assertThat(RecordKeys.recordKey().apply(RECORD)).isEqualTo("k");
        assertThat(RecordKeys.recordKey()
                        .apply(new ConsumerRecord<>("orders", 3, 42, "k".getBytes(StandardCharsets.UTF_8), "v")))
                .isEqualTo("k");
        assertThat(RecordKeys.recordKey().apply(new ConsumerRecord<>("orders", 3, 42, null, "v")))
                .isNull();
    }

    /** As text, both would be the same character, and the second message would be taken for a duplicate. */
    @Test
    void binaryIdsAreRefusedBecauseTextWouldMakeOneOfThem() {
        byte[] binary = ByteBuffer.allocate(Long.BYTES).putLong(200).array();
        ConsumerRecord<Object, String> inHeader = new ConsumerRecord<>("orders", 3, 42, "k", "v");
        inHeader.headers().add("id", binary);

        assertThatThrownBy(() -> RecordKeys.header("id").apply(inHeader))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("HexFormat");
        assertThatThrownBy(() -> RecordKeys.recordKey().apply(new ConsumerRecord<>("orders", 3, 42, binary, "v")))
                .hasMessageContaining("HexFormat");
    }

    @Test
    void aBufferIsReadAsTextAndStaysUnread() {
        ByteBuffer key = StandardCharsets.UTF_8.encode("k");
        ConsumerRecord<Object, String> record = new ConsumerRecord<>("orders", 3, 42, key, "v");

        assertThat(RecordKeys.recordKey().apply(record)).isEqualTo("k");
        assertThat(RecordKeys.recordKey().apply(record)).isEqualTo("k");
    }

    @Test
    void thePositionIsTopicPartitionAndOffset() {
        assertThat(RecordKeys.position().apply(RECORD)).isEqualTo("orders:3:42");
    }
}

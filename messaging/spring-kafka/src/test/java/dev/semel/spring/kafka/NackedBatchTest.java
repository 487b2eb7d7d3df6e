// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Semel;
import dev.semel.kafka.RecordKeys;
import dev.semel.key.Secrets;
import dev.semel.memory.MemoryClaimStore;
import dev.semel.messaging.ConsumerGate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.kafka.listener.BatchAcknowledgingMessageListener;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.support.Acknowledgment;

/** A batch listener that calls {@code nack}, called as the container does it, without a broker. */
class NackedBatchTest {
    private final Semel semel = Semel.on(new MemoryClaimStore())
            .secrets(Secrets.of("a secret of at least thirty-two bytes, for tests only"))
            .build();
    private final List<String> log = new ArrayList<>();

    @AfterEach
    void close() {
        semel.close();
    }

    /** Processes the records before a bad one and calls {@code nack} there. */
    @SuppressWarnings("unchecked")
    private BatchAcknowledgingMessageListener<String, String> listener(int maxAttempts) {
        ConsumerGate<ConsumerRecord<String, String>> gate = ConsumerGate.<ConsumerRecord<String, String>>on(
                        semel, "orders.place")
                .key(RecordKeys.position())
                .maxAttempts(maxAttempts)
                .deadLetters((record, letter) -> log.add("dead " + record.value()))
                .build();
        BatchAcknowledgingMessageListener<String, String> listener = (records, acknowledgment) -> {
            for (int i = 0; i < records.size(); i++) {
                if (records.get(i).value().equals("bad")) {
                    acknowledgment.nack(i, Duration.ZERO);
                    return;
                }
                log.add(records.get(i).value());
            }
            acknowledgment.acknowledge();
        };
        ContainerProperties properties = new ContainerProperties("orders");
        properties.setAdviceChain(new GateAdvice<>(gate));
        properties.setMessageListener(listener);
        return (BatchAcknowledgingMessageListener<String, String>) properties.getMessageListener();
    }

    private static List<ConsumerRecord<String, String>> records(String... values) {
        return IntStream.range(0, values.length)
                .mapToObj(i -> new ConsumerRecord<String, String>("orders", 0, i, null, values[i]))
                .toList();
    }

    private final class Recording implements Acknowledgment {
        @Override
        public void acknowledge() {
            log.add("acknowledge");
        }

        @Override
        public void nack(int index, Duration sleep) {
            log.add("nack " + index);
        }
    }

    @Test
    void recordsAfterOneThatWasGivenUpAreDoneOnce() {
        BatchAcknowledgingMessageListener<String, String> listener = listener(2);
        List<ConsumerRecord<String, String>> records = records("a", "bad", "b", "c");

        listener.onMessage(records, new Recording());
        listener.onMessage(records.subList(1, 4), new Recording());

        assertThat(log).containsExactly("a", "nack 1", "dead bad", "b", "c", "acknowledge");
    }

    @Test
    void aBatchWhoseLastRecordIsGivenUpIsAcknowledged() {
        listener(1).onMessage(records("a", "bad"), new Recording());

        assertThat(log).containsExactly("a", "dead bad", "acknowledge");
    }
}

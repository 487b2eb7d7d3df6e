// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.Semel;
import dev.semel.kafka.RecordKeys;
import dev.semel.key.Secrets;
import dev.semel.memory.MemoryClaimStore;
import dev.semel.messaging.ConsumerGate;
import dev.semel.testbroker.KafkaTopic;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.ConsumerRecordRecoverer;
import org.springframework.kafka.listener.DeadLetterPublishingRecoverer;
import org.springframework.kafka.listener.MessageListener;

/** Spring's own recoverer as the sink: it first cannot send, and then it can. */
@Timeout(120)
class DeadLetterTopicTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final List<String> handled = new CopyOnWriteArrayList<>();

    private static DefaultKafkaProducerFactory<String, String> producers(KafkaTopic topic, int largestRequest) {
        return new DefaultKafkaProducerFactory<>(
                Map.of("bootstrap.servers", topic.bootstrapServers(), "max.request.size", largestRequest),
                new StringSerializer(),
                new StringSerializer());
    }

    private static ConsumerRecordRecoverer sendingTo(
            KafkaTopic dead, DefaultKafkaProducerFactory<String, String> producers) {
        return new DeadLetterPublishingRecoverer(
                new KafkaTemplate<>(producers), (record, failure) -> new TopicPartition(dead.name(), 0));
    }

    @Test
    void aRecordStaysUnacknowledgedUntilItIsInTheDeadLetterTopic() {
        AtomicInteger calls = new AtomicInteger();
        try (KafkaTopic topic = new KafkaTopic(1);
                KafkaTopic dead = new KafkaTopic(1);
                Semel semel = Semel.on(new MemoryClaimStore())
                        .secrets(Secrets.of("a secret of at least thirty-two bytes, for tests only"))
                        .build()) {
            DefaultKafkaProducerFactory<String, String> tooSmall = producers(topic, 10);
            DefaultKafkaProducerFactory<String, String> sufficient = producers(topic, 1_000_000);
            ConsumerRecordRecoverer failing = sendingTo(dead, tooSmall);
            ConsumerRecordRecoverer sending = sendingTo(dead, sufficient);
            ConsumerGate<ConsumerRecord<String, String>> gate = ConsumerGate.<ConsumerRecord<String, String>>on(
                            semel, "orders.place")
                    .key(RecordKeys.header(KafkaTopic.ID))
                    .maxAttempts(1)
                    .pauses(Duration.ofMillis(50), Duration.ofMillis(200))
                    .deadLetters(GatedListeners.deadLettersTo((record, failure) -> {
                        assertThat(topic.committed(0)).isLessThanOrEqualTo(1);
                        (calls.incrementAndGet() < 3 ? failing : sending).accept(record, failure);
                    }))
                    .build();
            ConcurrentKafkaListenerContainerFactory<String, String> factory =
                    new ConcurrentKafkaListenerContainerFactory<>();
            factory.setConsumerFactory(new DefaultKafkaConsumerFactory<>(topic.settings()));
            ConcurrentMessageListenerContainer<String, String> container =
                    GatedListeners.install(factory, gate).createContainer(topic.name());
            container.setupMessageListener((MessageListener<String, String>) record -> {
                handled.add(record.value());
                if (record.value().contains("bad")) {
                    throw new IllegalStateException("bad");
                }
            });
            List.of("a", "bad", "b").forEach(id -> topic.send(0, id));
            container.start();
            try {
                await().atMost(LIMIT).until(topic::isConsumed);
            } finally {
                container.stop();
                tooSmall.destroy();
                sufficient.destroy();
            }

            assertThat(dead.end(0)).as("records in the dead-letter topic").isEqualTo(1);
        }
        assertThat(calls).hasValue(3);
        assertThat(handled).containsExactly("order a", "order bad", "order b");
    }
}

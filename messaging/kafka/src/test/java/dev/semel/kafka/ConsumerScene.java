// SPDX-License-Identifier: Apache-2.0
package dev.semel.kafka;

import static org.awaitility.Awaitility.await;

import dev.semel.Semel;
import dev.semel.key.Secrets;
import dev.semel.memory.MemoryClaimStore;
import dev.semel.messaging.ConsumerGate;
import dev.semel.messaging.DeadLetter;
import dev.semel.testbroker.KafkaTopic;
import dev.semel.testkit.FaultyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/** A gate, the consumers of a test, and what they handled. */
@Timeout(120)
abstract class ConsumerScene {
    static final Duration LIMIT = Duration.ofSeconds(60);

    final FaultyStore store = new FaultyStore(new MemoryClaimStore());
    final Semel semel = Semel.on(store)
            .secrets(Secrets.of("a secret of at least thirty-two bytes, for tests only"))
            .storeTimeout(Duration.ofMillis(500))
            .build();
    final List<String> handled = Collections.synchronizedList(new ArrayList<>());
    final Map<String, DeadLetter> letters = new ConcurrentHashMap<>();
    final ConsumerGate<ConsumerRecord<String, String>> gate = ConsumerGate.<ConsumerRecord<String, String>>on(
                    semel, "orders.place")
            .key(RecordKeys.header(KafkaTopic.ID))
            .maxAttempts(3)
            .pauses(Duration.ofMillis(50), Duration.ofMillis(200))
            .deadLetters((record, letter) -> letters.put(String.valueOf(id(record)), letter))
            .build();
    final ExecutorService threads = Executors.newCachedThreadPool();
    final List<GatedConsumer<String, String>> consumers = new ArrayList<>();

    @AfterEach
    void close() {
        consumers.forEach(GatedConsumer::close);
        threads.shutdownNow();
        store.heal();
        semel.close();
    }

    static String id(ConsumerRecord<?, ?> record) {
        return RecordKeys.header(KafkaTopic.ID).apply(record);
    }

    final CompletableFuture<Void> start(GatedConsumerBuilder<String, String> builder) {
        GatedConsumer<String, String> consumer = builder.build();
        consumers.add(consumer);
        return CompletableFuture.runAsync(consumer, threads);
    }

    final GatedConsumerBuilder<String, String> consuming(KafkaTopic topic, Map<String, Object> more) {
        Map<String, Object> settings = topic.settings();
        settings.putAll(more);
        if ("consumer".equals(settings.get("group.protocol"))) {
            settings.remove("session.timeout.ms");
            settings.remove("heartbeat.interval.ms");
        }
        return GatedConsumer.<String, String>of(settings, KafkaConsumer::new)
                .topics(topic.name())
                .each(record -> gate.receive(record, (one, run) -> handled.add(id(one))));
    }

    static void awaitConsumed(KafkaTopic topic) {
        await().atMost(LIMIT).until(topic::isConsumed);
    }
}

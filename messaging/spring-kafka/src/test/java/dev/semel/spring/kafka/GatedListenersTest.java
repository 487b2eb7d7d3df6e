// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.semel.Semel;
import dev.semel.claim.ClaimKey;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.Terms;
import dev.semel.kafka.RecordKeys;
import dev.semel.key.Secrets;
import dev.semel.memory.MemoryClaimStore;
import dev.semel.messaging.ConsumerGate;
import dev.semel.messaging.DeadLetter;
import dev.semel.spi.Command;
import dev.semel.testbroker.KafkaTopic;
import dev.semel.testkit.FaultyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.listener.AcknowledgingMessageListener;
import org.springframework.kafka.listener.BatchAcknowledgingMessageListener;
import org.springframework.kafka.listener.BatchListenerFailedException;
import org.springframework.kafka.listener.BatchMessageListener;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.ContainerProperties.AckMode;
import org.springframework.kafka.listener.MessageListener;
import org.springframework.kafka.support.serializer.ErrorHandlingDeserializer;

@Timeout(120)
class GatedListenersTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String SCOPE = "orders.place";

    private final MemoryClaimStore memory = new MemoryClaimStore();
    private final FaultyStore store = new FaultyStore(memory);
    private final Semel semel = engine();
    private final AtomicInteger deliveries = new AtomicInteger();
    private final List<String> handled = Collections.synchronizedList(new ArrayList<>());
    private final Map<String, DeadLetter> letters = new ConcurrentHashMap<>();
    private final List<ConcurrentMessageListenerContainer<String, String>> containers = new ArrayList<>();
    private final ConsumerGate<ConsumerRecord<String, String>> gate = ConsumerGate.<ConsumerRecord<String, String>>on(
                    semel, SCOPE)
            .key(this::counted)
            .maxAttempts(3)
            .lease(Duration.ofSeconds(2))
            .pauses(Duration.ofMillis(50), Duration.ofMillis(200))
            .deadLetters((record, letter) -> letters.put(id(record), letter))
            .build();

    private Semel engine() {
        return Semel.on(store)
                .secrets(Secrets.of("a secret of at least thirty-two bytes, for tests only"))
                .storeTimeout(Duration.ofMillis(500))
                .withoutReplayCache()
                .build();
    }

    @AfterEach
    void close() {
        containers.forEach(ConcurrentMessageListenerContainer::stop);
        store.heal();
        semel.close();
    }

    private String counted(ConsumerRecord<String, String> record) {
        deliveries.incrementAndGet();
        return id(record);
    }

    private static String id(ConsumerRecord<?, ?> record) {
        return String.valueOf(RecordKeys.header(KafkaTopic.ID).apply(record));
    }

    private ConcurrentKafkaListenerContainerFactory<String, String> factory(KafkaTopic topic) {
        ConcurrentKafkaListenerContainerFactory<String, String> factory =
                new ConcurrentKafkaListenerContainerFactory<>();
        factory.setConsumerFactory(new DefaultKafkaConsumerFactory<>(topic.settings()));
        return GatedListeners.install(factory, gate);
    }

    private ConcurrentMessageListenerContainer<String, String> start(
            KafkaTopic topic, ConcurrentKafkaListenerContainerFactory<String, String> factory, Object listener) {
        ConcurrentMessageListenerContainer<String, String> container = factory.createContainer(topic.name());
        container.getContainerProperties().setGroupId(topic.group());
        container.setupMessageListener(listener);
        container.start();
        containers.add(container);
        return container;
    }

    private static ConcurrentKafkaListenerContainerFactory<String, String> with(
            ConcurrentKafkaListenerContainerFactory<String, String> factory, AckMode mode) {
        factory.getContainerProperties().setAckMode(mode);
        return factory;
    }

    private static void awaitConsumed(KafkaTopic topic) {
        await().atMost(LIMIT).until(topic::isConsumed);
    }

    private static MessageListener<String, String> each(Consumer<ConsumerRecord<String, String>> handler) {
        return handler::accept;
    }

    private static List<String> ids(List<ConsumerRecord<String, String>> records) {
        return records.stream().map(GatedListenersTest::id).toList();
    }

    @Test
    void aListenerRunsOnceForEachMessageAndEveryOffsetIsCommitted() {
        List<String> childKeys = Collections.synchronizedList(new ArrayList<>());
        try (KafkaTopic topic = new KafkaTopic(2)) {
            for (int i = 0; i < 100; i++) {
                topic.sendLater(i % 2, "m" + i);
                if (i % 10 == 0) {
                    topic.sendLater(i % 2, "m" + i);
                }
            }
            topic.flush();
            start(topic, factory(topic), each(record -> {
                childKeys.add(ListenerRun.current().childKey("charge"));
                handled.add(id(record));
            }));

            awaitConsumed(topic);
        }
        assertThat(handled).hasSize(100).doesNotHaveDuplicates();
        assertThat(childKeys).hasSize(100).doesNotHaveDuplicates();
        assertThatThrownBy(ListenerRun::current).hasMessageContaining("GatedListeners.install");
    }

    /** A class cast exception is one that Spring's own error handler never retries, and skips at once. */
    @Test
    void aPoisonMessageGoesToTheSinkAfterItsAttemptsWhateverItThrows() {
        AtomicInteger attempts = new AtomicInteger();
        try (KafkaTopic topic = new KafkaTopic(1)) {
            topic.send(0, "good1");
            topic.send(0, "poison");
            topic.send(0, "good2");
            start(topic, factory(topic), each(record -> {
                if (id(record).equals("poison")) {
                    attempts.incrementAndGet();
                    throw new ClassCastException("bad");
                }
                handled.add(id(record));
            }));

            awaitConsumed(topic);
        }
        assertThat(attempts).hasValue(3);
        assertThat(handled).containsExactly("good1", "good2");
        assertThat(letters.get("poison").detail()).isEqualTo("java.lang.ClassCastException");
    }

    @Test
    void aRecordInProgressElsewhereIsDeliveredAgain() {
        try (KafkaTopic topic = new KafkaTopic(1);
                Semel other = engine()) {
            other.claim(
                            new ClaimKey("default", SCOPE, "held"),
                            Fingerprint.NONE,
                            Terms.DEFAULT.withLease(Duration.ofHours(1)),
                            Duration.ZERO)
                    .toCompletableFuture()
                    .join();
            topic.send(0, "held");
            topic.send(0, "next");
            start(topic, factory(topic), each(record -> handled.add(id(record))));

            await().atMost(LIMIT).until(() -> deliveries.get() >= 1);
            assertThat(handled).isEmpty();
            assertThat(topic.committed(0)).isZero();
            memory.age(semel.refOf(new ClaimKey("default", SCOPE, "held")), Duration.ofHours(2));
            awaitConsumed(topic);
        }
        assertThat(handled).containsExactly("held", "next");
        assertThat(deliveries).hasValueGreaterThan(2);
    }

    @Test
    void whileTheStoreIsUnavailableNoRecordIsSkipped() {
        try (KafkaTopic topic = new KafkaTopic(1)) {
            topic.send(0, "a");
            topic.send(0, "b");
            store.onApply().always().failBefore();
            start(topic, factory(topic), each(record -> handled.add(id(record))));

            // Spring's own error handler would have skipped the record after ten failures.
            await().atMost(LIMIT).until(() -> deliveries.get() > 12);
            assertThat(handled).isEmpty();
            assertThat(topic.committed(0)).isZero();
            store.heal();
            awaitConsumed(topic);
        }
        assertThat(handled).containsExactly("a", "b");
    }

    @Test
    void aSettlementThatFailsKeepsTheRecordUnacknowledged() {
        try (KafkaTopic topic = new KafkaTopic(1)) {
            store.onApplyOf(Command.Settle.class).always().reject();
            topic.send(0, "a");
            start(topic, with(factory(topic), AckMode.RECORD), each(record -> handled.add(id(record))));
            await().atMost(LIMIT).until(() -> !handled.isEmpty());

            await().during(Duration.ofSeconds(1)).atMost(LIMIT).until(() -> topic.committed(0) == 0);
            store.heal();
            awaitConsumed(topic);
        }
        assertThat(handled).hasSizeGreaterThan(1).containsOnly("a");
    }

    @Test
    void aManualAcknowledgmentTakesEffectAfterTheSettlement() throws Exception {
        CountDownLatch acknowledged = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        AtomicInteger nacks = new AtomicInteger();
        AcknowledgingMessageListener<String, String> listener = (record, acknowledgment) -> {
            if (id(record).equals("again") && nacks.incrementAndGet() == 1) {
                acknowledgment.nack(Duration.ofMillis(10));
                return;
            }
            handled.add(id(record));
            acknowledgment.acknowledge();
            acknowledged.countDown();
            try {
                end.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        };
        try (KafkaTopic topic = new KafkaTopic(1)) {
            topic.send(0, "a");
            topic.send(0, "again");
            topic.send(0, "a");
            start(topic, with(factory(topic), AckMode.MANUAL_IMMEDIATE), listener);

            acknowledged.await();
            assertThat(topic.committed(0)).isZero();
            end.countDown();
            awaitConsumed(topic);
        }
        assertThat(handled).containsExactly("a", "again");
        assertThat(nacks).hasValue(2);
    }

    @Test
    void aBatchListenerReceivesEachKeyOnceAndStopsAtTheFailedRecord() {
        List<List<String>> batches = Collections.synchronizedList(new ArrayList<>());
        BatchMessageListener<String, String> listener = records -> {
            assertThat(ListenerRun.batch()).hasSameSizeAs(records);
            batches.add(ids(records));
            if (ids(records).contains("bad")) {
                throw new BatchListenerFailedException(
                        "bad", new IllegalStateException(), ids(records).indexOf("bad"));
            }
        };
        try (KafkaTopic topic = new KafkaTopic(1)) {
            for (String id : List.of("a", "b", "a", "bad", "c", "b")) {
                topic.sendLater(0, id);
            }
            topic.flush();
            ConcurrentKafkaListenerContainerFactory<String, String> factory = factory(topic);
            factory.setBatchListener(true);
            start(topic, factory, listener);

            awaitConsumed(topic);
        }
        assertThat(batches)
                .last()
                .as("records after the failed one, once it was given up")
                .isEqualTo(List.of("c"));
        List<String> all = batches.stream().flatMap(List::stream).toList();
        assertThat(all).filteredOn(id -> id.equals("a") || id.equals("b")).containsExactly("a", "b");
        assertThat(all).filteredOn("bad"::equals).hasSize(3);
        assertThat(letters.get("bad").attempts()).isEqualTo(3);
    }

    @Test
    void aBatchWithoutNewRecordsIsAcknowledgedWithoutTheListener() {
        BatchAcknowledgingMessageListener<String, String> listener = (records, acknowledgment) -> {
            handled.addAll(ids(records));
            acknowledgment.acknowledge();
        };
        try (KafkaTopic topic = new KafkaTopic(1)) {
            ConcurrentKafkaListenerContainerFactory<String, String> factory = with(factory(topic), AckMode.MANUAL);
            factory.setBatchListener(true);
            start(topic, factory, listener);
            topic.send(0, "a");
            awaitConsumed(topic);
            topic.send(0, "a");
            awaitConsumed(topic);
        }
        assertThat(handled).containsExactly("a");
    }

    @Test
    void aRebalanceWhileAListenerWorksDoesNoHarm() throws Exception {
        CountDownLatch working = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        try (KafkaTopic topic = new KafkaTopic(1)) {
            topic.send(0, "slow");
            topic.send(0, "next");
            ConcurrentKafkaListenerContainerFactory<String, String> slow =
                    new ConcurrentKafkaListenerContainerFactory<>();
            Map<String, Object> settings = topic.settings();
            settings.put("max.poll.interval.ms", "1500");
            slow.setConsumerFactory(new DefaultKafkaConsumerFactory<>(settings));
            start(topic, GatedListeners.install(slow, gate), each(record -> {
                handled.add(id(record));
                working.countDown();
                try {
                    end.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }));
            working.await();
            int before = deliveries.get();
            start(topic, factory(topic), each(record -> handled.add(id(record))));

            // The group expels the first container. The second one receives the record and waits.
            await().atMost(LIMIT).until(() -> deliveries.get() > before);
            assertThat(handled).containsExactly("slow");
            end.countDown();
            awaitConsumed(topic);
        }
        assertThat(handled).containsExactly("slow", "next");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void recordsThatCannotBeDeserializedGoToTheSink(boolean inBatches) {
        AcknowledgingMessageListener<String, String> each = (record, acknowledgment) -> {
            handled.add(record.value());
            acknowledgment.acknowledge();
        };
        BatchAcknowledgingMessageListener<String, String> batch = (records, acknowledgment) -> {
            records.forEach(record -> handled.add(record.value()));
            acknowledgment.acknowledge();
        };
        try (KafkaTopic topic = new KafkaTopic(1)) {
            List.of("a", "broken1", "b", "broken2").forEach(id -> topic.send(0, id));
            ConcurrentKafkaListenerContainerFactory<String, String> factory =
                    new ConcurrentKafkaListenerContainerFactory<>();
            Map<String, Object> settings = topic.settings();
            settings.put("value.deserializer", ErrorHandlingDeserializer.class);
            settings.put(ErrorHandlingDeserializer.VALUE_DESERIALIZER_CLASS, FailingDeserializer.class);
            factory.setConsumerFactory(new DefaultKafkaConsumerFactory<>(settings));
            factory.setBatchListener(inBatches);
            start(
                    topic,
                    with(GatedListeners.install(factory, gate), AckMode.MANUAL_IMMEDIATE),
                    inBatches ? batch : each);

            awaitConsumed(topic);
        }
        assertThat(handled).containsExactly("order a", "order b");
        assertThat(letters).containsOnlyKeys("broken1", "broken2");
        assertThat(letters.values()).extracting(DeadLetter::reason).containsOnly(DeadLetter.Reason.UNREADABLE);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.semel.messaging.BatchFailedAtException;
import dev.semel.messaging.ClaimedMessage;
import dev.semel.messaging.DeadLetter;
import dev.semel.testbroker.KafkaTopic;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.Test;

class GatedConsumerTest extends ConsumerScene {
    @Test
    void recordsArePassedOnceInTheOrderOfTheirPartitionAndAllOffsetsAreCommitted() {
        try (KafkaTopic topic = new KafkaTopic(3)) {
            for (int i = 0; i < 300; i++) {
                topic.sendLater(i % 3, "m" + i);
                if (i % 10 == 0) {
                    // The sender sends it twice: a duplicate with another offset, in the same poll.
                    topic.sendLater(i % 3, "m" + i);
                }
            }
            topic.flush();

            start(consuming(topic, Map.of()));
            awaitConsumed(topic);

            for (int partition = 0; partition < 3; partition++) {
                int p = partition;
                List<String> expected = IntStream.range(0, 300)
                        .filter(i -> i % 3 == p)
                        .mapToObj(i -> "m" + i)
                        .toList();
                assertThat(List.copyOf(handled)).filteredOn(expected::contains).containsExactlyElementsOf(expected);
            }
            assertThat(handled).hasSize(300);
        }
    }

    @Test
    void aPoisonMessageHoldsItsPartitionUntilItIsInTheSinkAndNoOther() {
        AtomicInteger attempts = new AtomicInteger();
        try (KafkaTopic topic = new KafkaTopic(2)) {
            topic.send(0, "good1");
            topic.send(0, "poison");
            topic.send(0, "good2");
            topic.sendWithoutId(0);
            topic.send(1, "other");

            start(consuming(topic, Map.of())
                    .each(record -> gate.receive(record, (one, run) -> {
                        if ("poison".equals(id(one))) {
                            attempts.incrementAndGet();
                            // The offset of an unacknowledged record is never committed.
                            assertThat(topic.committed(0)).isLessThanOrEqualTo(1);
                            throw new IllegalStateException("bad");
                        }
                        handled.add(id(one));
                    })));
            awaitConsumed(topic);
        }
        assertThat(attempts).hasValue(3);
        assertThat(handled).containsExactlyInAnyOrder("good1", "good2", "other");
        assertThat(letters.get("poison").reason()).isEqualTo(DeadLetter.Reason.ATTEMPTS_EXHAUSTED);
        assertThat(letters.get("null").reason()).isEqualTo(DeadLetter.Reason.UNREADABLE);
    }

    @Test
    void whileTheStoreIsUnavailableTheConsumerWaitsAndStaysAMember() {
        store.onApply().always().failBefore();
        try (KafkaTopic topic = new KafkaTopic(1)) {
            topic.send(0, "a");
            topic.send(0, "b");
            CompletableFuture<Void> running = start(consuming(topic, Map.of("max.poll.interval.ms", "3000")));

            await().atMost(LIMIT).until(() -> topic.members() == 1);
            // Longer than the group waits for a member that does not poll.
            await().during(Duration.ofSeconds(4)).atMost(LIMIT).until(() -> topic.members() == 1);
            assertThat(handled).isEmpty();
            assertThat(topic.committed(0)).isZero();
            store.heal();
            awaitConsumed(topic);

            assertThat(running).isNotDone();
        }
        assertThat(handled).containsExactly("a", "b");
    }

    @Test
    void manySlowRecordsDoNotCostTheMembership() {
        CountDownLatch never = new CountDownLatch(1);
        try (KafkaTopic topic = new KafkaTopic(1)) {
            IntStream.range(0, 20).forEach(i -> topic.sendLater(0, "m" + i));
            topic.flush();
            start(consuming(topic, Map.of("max.poll.interval.ms", "2000"))
                    .pollEvery(Duration.ofMillis(200))
                    .each(record -> gate.receive(record, (one, run) -> {
                        never.await(200, TimeUnit.MILLISECONDS);
                        handled.add(id(one));
                    })));

            awaitConsumed(topic);
        }
        assertThat(handled).hasSize(20);
    }

    @Test
    void aConsumerThatLosesItsPartitionWhileItWorksDoesNoHarm() throws Exception {
        CountDownLatch working = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        try (KafkaTopic topic = new KafkaTopic(1)) {
            topic.send(0, "slow");
            topic.send(0, "next");
            start(consuming(topic, Map.of("max.poll.interval.ms", "1500"))
                    .each(record -> gate.receive(record, (one, run) -> {
                        handled.add(id(one));
                        working.countDown();
                        end.await();
                    })));
            working.await();
            AtomicInteger refused = new AtomicInteger();
            start(consuming(topic, Map.of()).each(record -> {
                var disposition = gate.receive(record, (one, run) -> handled.add(id(one)));
                if (!disposition.acknowledged()) {
                    refused.incrementAndGet();
                }
                return disposition;
            }));

            // The group expels the first one. The second one receives the record and waits.
            await().atMost(LIMIT).until(() -> refused.get() > 1);
            assertThat(handled).containsExactly("slow");
            end.countDown();
            awaitConsumed(topic);
        }
        assertThat(handled).containsExactly("slow", "next");
    }

    @Test
    void consumersThatJoinAndLeaveShareTheRecordsWithoutLossOrRepetition() {
        try (KafkaTopic topic = new KafkaTopic(6)) {
            IntStream.range(0, 300).forEach(i -> topic.sendLater(i % 6, "m" + i));
            topic.flush();
            start(consuming(topic, Map.of("max.poll.records", "10")));
            await().atMost(LIMIT).until(() -> handled.size() > 50);
            start(consuming(topic, Map.of("max.poll.records", "10")));
            IntStream.range(300, 600).forEach(i -> topic.sendLater(i % 6, "m" + i));
            topic.flush();
            await().atMost(LIMIT).until(() -> topic.members() == 2);
            consumers.get(0).close();

            awaitConsumed(topic);
        }
        assertThat(handled).hasSize(600).doesNotHaveDuplicates();
    }

    @Test
    void aBatchHasEachKeyOnceAndStopsAtTheFailedRecord() {
        List<List<String>> batches = Collections.synchronizedList(new ArrayList<>());
        AtomicInteger failures = new AtomicInteger();
        try (KafkaTopic topic = new KafkaTopic(1)) {
            for (String id : List.of("a", "b", "a", "bad", "c", "b")) {
                topic.sendLater(0, id);
            }
            topic.flush();
            start(consuming(topic, Map.of())
                    .batches(records -> gate.receiveAll(records, messages -> {
                        List<String> ids = messages.stream()
                                .map(ClaimedMessage::message)
                                .map(GatedConsumerTest::id)
                                .toList();
                        batches.add(ids);
                        if (ids.contains("bad") && failures.incrementAndGet() < 3) {
                            throw new BatchFailedAtException(ids.indexOf("bad"), new IllegalStateException("bad"));
                        }
                    })));

            awaitConsumed(topic);
        }
        assertThat(batches.get(0)).containsExactly("a", "b", "bad", "c");
        assertThat(batches.subList(1, 3)).containsExactly(List.of("bad"), List.of("bad"));
        assertThat(batches.subList(3, batches.size())).containsExactly(List.of("c"));
        assertThat(letters).isEmpty();
    }

    @Test
    void aRecordThatCannotBeDeserializedIsSkippedOnceItIsKept() {
        List<Long> unreadable = new ArrayList<>();
        try (KafkaTopic topic = new KafkaTopic(1)) {
            topic.send(0, "a");
            topic.send(0, "broken");
            topic.send(0, "b");
            start(consuming(topic, Map.of("value.deserializer", Failing.class))
                    .unreadable(failure -> unreadable.add(failure.offset())));

            awaitConsumed(topic);
        }
        assertThat(unreadable).containsExactly(1L);
        assertThat(handled).containsExactly("a", "b");
    }

    /** Fails for one value. */
    public static final class Failing implements Deserializer<String> {
        private final StringDeserializer text = new StringDeserializer();

        @Override
        public String deserialize(String topic, byte[] data) {
            if (new String(data, StandardCharsets.UTF_8).contains("broken")) {
                throw new IllegalArgumentException("broken");
            }
            return text.deserialize(topic, data);
        }
    }

    @Test
    void anErrorOfTheHandlerEndsTheConsumerWithoutCommittingTheRecord() {
        try (KafkaTopic topic = new KafkaTopic(1)) {
            topic.send(0, "a");
            topic.send(0, "fatal");
            CompletableFuture<Void> running = start(consuming(topic, Map.of()).each(record -> {
                if ("fatal".equals(id(record))) {
                    throw new AssertionError("out of memory");
                }
                return gate.receive(record, (one, run) -> handled.add(id(one)));
            }));

            assertThatThrownBy(running::join).hasCauseInstanceOf(AssertionError.class);
            assertThat(topic.committed(0)).isEqualTo(1);
        }
    }

    @Test
    void settingsThatWouldLoseRecordsAreRefused() {
        Map<String, Object> settings = new HashMap<>(Map.of("group.id", "g", "enable.auto.commit", "true"));

        assertThatThrownBy(() -> GatedConsumer.<String, String>of(settings, KafkaConsumer::new))
                .hasMessageContaining("enable.auto.commit");
        assertThatThrownBy(() -> GatedConsumer.<String, String>of(Map.of(), KafkaConsumer::new))
                .hasMessageContaining("group.id");
        assertThatThrownBy(() -> GatedConsumer.<String, String>of(Map.of("group.id", "g"), KafkaConsumer::new)
                        .topics("t")
                        .build())
                .hasMessageContaining("each(...)");
    }
}

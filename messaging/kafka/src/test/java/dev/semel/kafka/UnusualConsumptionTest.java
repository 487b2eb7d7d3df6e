// SPDX-License-Identifier: Apache-2.0
package dev.semel.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.testbroker.KafkaTopic;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Records, producers, groups and ends of consumers that are not the usual ones. */
class UnusualConsumptionTest extends ConsumerScene {
    /** The number of records of the long form, which the profile chaos sets. */
    private static final String LONG = "semel.kafka.records";

    private static final String LONG_FORM = "[0-9]{5,}";
    private static final String COOPERATIVE =
            "partition.assignment.strategy=org.apache.kafka.clients.consumer.CooperativeStickyAssignor";

    /** With Kafka's default reset to the latest offset, the second consumer would begin behind the record. */
    @Test
    void aRecordThatFailedBeforeTheFirstCommitIsNotLost() {
        Map<String, Object> latest = Map.of("auto.offset.reset", "latest");
        AtomicInteger attempts = new AtomicInteger();
        try (KafkaTopic topic = new KafkaTopic(1)) {
            topic.send(0, "before the group");
            CompletableFuture<Void> first = start(consuming(topic, latest)
                    .each(record -> gate.receive(record, (one, run) -> {
                        attempts.incrementAndGet();
                        throw new IllegalStateException("bad");
                    })));
            await().atMost(LIMIT).until(() -> topic.committed(0) == 1);
            topic.send(0, "a");
            await().atMost(LIMIT).until(() -> attempts.get() > 0);
            consumers.get(0).close();
            first.join();
            start(consuming(topic, latest));
            awaitConsumed(topic);
        }
        assertThat(handled).containsExactly("a");
    }

    @ParameterizedTest
    @ValueSource(strings = {"group.protocol=consumer", COOPERATIVE})
    @EnabledIfSystemProperty(named = LONG, matches = LONG_FORM, disabledReason = "takes 10 s: see the profile chaos")
    void otherGroupProtocolsLoseAndRepeatNothing(String protocol) {
        List<String> setting = List.of(protocol.split("=", 2));
        Map<String, Object> more = Map.of(setting.get(0), setting.get(1), "max.poll.records", "10");
        AtomicInteger failures = new AtomicInteger();
        try (KafkaTopic topic = new KafkaTopic(6)) {
            IntStream.range(0, 300).forEach(i -> topic.sendLater(i % 6, "m" + i));
            topic.flush();
            CompletableFuture<Void> first = start(consuming(topic, more)
                    .each(record -> gate.receive(record, (one, run) -> {
                        if (failures.incrementAndGet() % 40 == 0) {
                            throw new IllegalStateException("bad");
                        }
                        handled.add(id(one));
                    })));
            await().atMost(LIMIT).until(() -> handled.size() > 50);
            CompletableFuture<Void> second = start(consuming(topic, more));
            IntStream.range(300, 600).forEach(i -> topic.sendLater(i % 6, "m" + i));
            topic.flush();
            await().atMost(LIMIT).until(() -> topic.members() == 2);
            consumers.get(0).close();
            first.join();
            awaitConsumed(topic);
            consumers.get(1).close();
            second.join();
        }
        assertThat(handled).hasSize(600).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @ValueSource(strings = {"consumer", "classic"})
    @EnabledIfSystemProperty(named = LONG, matches = LONG_FORM, disabledReason = "takes 20 s: see the profile chaos")
    void aConsumerThatWasExpelledAndThenFailsDoesNoHarm(String protocol) throws Exception {
        CountDownLatch working = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        AtomicInteger fails = new AtomicInteger();
        try (KafkaTopic topic = new KafkaTopic(1)) {
            topic.send(0, "slow");
            topic.send(0, "next");
            CompletableFuture<Void> first =
                    start(consuming(topic, Map.of("group.protocol", protocol, "max.poll.interval.ms", "1500"))
                            .each(record -> gate.receive(record, (one, run) -> {
                                working.countDown();
                                end.await();
                                if (fails.incrementAndGet() == 1) {
                                    throw new IllegalStateException("bad");
                                }
                                handled.add(id(one));
                            })));
            working.await();
            AtomicInteger refused = new AtomicInteger();
            start(consuming(topic, Map.of("group.protocol", protocol)).each(record -> {
                var disposition = gate.receive(record, (one, run) -> handled.add(id(one)));
                if (!disposition.acknowledged()) {
                    refused.incrementAndGet();
                }
                return disposition;
            }));
            await().atMost(LIMIT).until(() -> refused.get() > 1);
            end.countDown();
            awaitConsumed(topic);
            assertThat(first).isNotDone();
        }
        assertThat(handled).containsExactly("slow", "next");
    }

    @Test
    void tombstonesEmptyAndLargeRecordsArePassedAsTheyAre() {
        List<Integer> sizes = Collections.synchronizedList(new ArrayList<>());
        try (KafkaTopic topic = new KafkaTopic(1)) {
            String[] values = {null, "", "x".repeat(65_535), "x".repeat(65_536), "x"};
            for (int i = 0; i < values.length; i++) {
                for (int twice = 0; twice < 2; twice++) {
                    ProducerRecord<String, String> record = new ProducerRecord<>(topic.name(), 0, null, values[i]);
                    record.headers().add(KafkaTopic.ID, ("m" + i).getBytes(StandardCharsets.UTF_8));
                    for (int h = 0; h < 100; h++) {
                        record.headers().add("noise", new byte[i == 4 ? 4_000 : 1]);
                        record.headers().add("nothing", null);
                    }
                    topic.send(record);
                }
            }
            ProducerRecord<String, String> nulls = new ProducerRecord<>(topic.name(), 0, null, null);
            nulls.headers().add(KafkaTopic.ID, null);
            topic.send(nulls);
            start(consuming(topic, Map.of())
                    .each(record -> gate.receive(
                            record,
                            (one, run) -> sizes.add(
                                    one.value() == null ? -1 : one.value().length()))));
            awaitConsumed(topic);
        }
        assertThat(sizes).containsExactly(-1, 0, 65_535, 65_536, 1);
        assertThat(letters).hasSize(1);
    }

    @Test
    void recordsOfAbortedTransactionsAreNotPassed() {
        try (KafkaTopic topic = new KafkaTopic(1);
                KafkaProducer<String, String> producer = new KafkaProducer<>(
                        Map.of("bootstrap.servers", topic.bootstrapServers(), "transactional.id", topic.name()),
                        new StringSerializer(),
                        new StringSerializer())) {
            producer.initTransactions();
            for (int i = 0; i < 6; i++) {
                producer.beginTransaction();
                ProducerRecord<String, String> record = new ProducerRecord<>(topic.name(), 0, null, "v");
                record.headers().add(KafkaTopic.ID, ("m" + i).getBytes(StandardCharsets.UTF_8));
                producer.send(record);
                if (i % 2 == 0) {
                    producer.commitTransaction();
                } else {
                    producer.flush();
                    producer.abortTransaction();
                }
            }
            start(consuming(topic, Map.of("isolation.level", "read_committed")));
            await().atMost(LIMIT).until(() -> handled.size() == 3);
            topic.send(0, "after");
            awaitConsumed(topic);
        }
        assertThat(handled).containsExactly("m0", "m2", "m4", "after");
    }

    @Test
    void aConsumerThatIsClosedWhileItWorksFinishesItsRecordAndCommitsIt() throws Exception {
        CountDownLatch working = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        try (KafkaTopic topic = new KafkaTopic(1)) {
            topic.send(0, "a");
            topic.send(0, "b");
            CompletableFuture<Void> first = start(consuming(topic, Map.of())
                    .each(record -> gate.receive(record, (one, run) -> {
                        working.countDown();
                        end.await();
                        handled.add(id(one));
                    })));
            working.await();
            Thread closing = new Thread(consumers.get(0)::close);
            closing.start();
            await().atMost(LIMIT).until(() -> closing.getState() == Thread.State.WAITING);
            end.countDown();
            closing.join();
            first.join();
            assertThat(topic.committed(0)).isEqualTo(1);
        }
        assertThat(handled).containsExactly("a");
    }

    /** The commit at the end meets a rebalance. The next owner receives the record again, as a duplicate. */
    @Test
    void aRebalanceDuringTheLastCommitIsNoFailure() {
        AtomicInteger commits = new AtomicInteger();
        try (KafkaTopic topic = new KafkaTopic(1)) {
            topic.send(0, "a");
            CompletableFuture<Void> running = start(GatedConsumer.<String, String>of(
                            topic.settings(), settings -> rebalancingAtCommits(new KafkaConsumer<>(settings), commits))
                    .topics(topic.name())
                    .each(record -> gate.receive(record, (one, run) -> {
                        handled.add(id(one));
                        consumers.get(0).close();
                    })));

            running.join();
            assertThat(commits).hasValueGreaterThan(1);
            start(consuming(topic, Map.of()));
            awaitConsumed(topic);
        }
        assertThat(handled).containsExactly("a");
    }

    /** Behaves as the consumer, but from the second commit on as one whose group rebalances. */
    @SuppressWarnings("unchecked")
    private static Consumer<String, String> rebalancingAtCommits(
            Consumer<String, String> consumer, AtomicInteger commits) {
        return (Consumer<String, String>) Proxy.newProxyInstance(
                UnusualConsumptionTest.class.getClassLoader(),
                new Class<?>[] {Consumer.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("commitSync") && commits.incrementAndGet() > 1) {
                        throw new RebalanceInProgressException();
                    }
                    try {
                        return method.invoke(consumer, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}

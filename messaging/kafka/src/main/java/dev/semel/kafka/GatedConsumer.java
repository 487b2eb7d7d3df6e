// SPDX-License-Identifier: Apache-2.0
package dev.semel.kafka;

import dev.semel.messaging.Disposition;
import dev.semel.messaging.Disposition.Redeliver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.RecordDeserializationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Kafka consumer that passes records through a {@link dev.semel.messaging.ConsumerGate} and commits offsets afterwards.
 *
 * <pre>{@code
 * try (GatedConsumer<String, String> consumer = GatedConsumer.<String, String>of(settings, KafkaConsumer::new)
 *         .topics("orders")
 *         .each(record -> gate.receive(record, (r, run) -> place(r.value(), run.childKey("charge"))))
 *         .build()) {
 *     consumer.run();
 * }
 * }</pre>
 *
 * <p>{@link #run} repeats these steps on the calling thread:
 *
 * <ol>
 *   <li>Poll. While records of an earlier poll are left, all partitions are paused, so that the poll only keeps the membership.
 *       So no more than the records of one poll are in memory.
 *   <li>Process the records of each partition in their order, until none is left or a second has passed.
 *   <li>At the first record of a partition that is not acknowledged: forget the partition's other records, seek back to this
 *       one, and pause the partition for as long as the gate says. Other partitions continue.
 *   <li>Commit, for each partition, the offset after its last acknowledged record. No offset is committed beyond a record that
 *       is not acknowledged.
 * </ol>
 *
 * <p>When partitions are assigned of which the group has committed no offset, the offset at which to begin is committed first.
 * Otherwise {@code auto.offset.reset=latest}, which is Kafka's default, would make the next owner skip records that this one
 * has not acknowledged.
 *
 * <p>When partitions are revoked, what is acknowledged is committed, and their other records are forgotten: the next owner
 * receives them. A consumer that lost a partition while it worked cannot do harm. The next owner finds the claim in progress
 * and waits.
 */
public final class GatedConsumer<K, V> implements Runnable, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(GatedConsumer.class);
    private static final Duration LONGEST_POLL = Duration.ofMillis(500);
    private static final Duration COMMIT_LIMIT = Duration.ofSeconds(10);

    private final GatedConsumerBuilder<K, V> builder;
    private final Function<List<ConsumerRecord<K, V>>, List<Disposition>> receiver;
    private final PartitionBacklog<K, V> backlog = new PartitionBacklog<>();
    private final AtomicBoolean started = new AtomicBoolean();
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile @Nullable Consumer<K, V> running;
    private volatile @Nullable Thread thread;
    private volatile boolean stopped;

    GatedConsumer(
            GatedConsumerBuilder<K, V> builder, Function<List<ConsumerRecord<K, V>>, List<Disposition>> receiver) {
        this.builder = builder;
        this.receiver = receiver;
    }

    /**
     * A consumer with these settings of Kafka. {@code enable.auto.commit} is set to false.
     *
     * @param factory makes the consumer: {@code KafkaConsumer::new}
     */
    public static <K, V> GatedConsumerBuilder<K, V> of(
            Map<String, Object> settings, Function<Map<String, Object>, Consumer<K, V>> factory) {
        return new GatedConsumerBuilder<>(settings, factory);
    }

    /**
     * Consumes until {@link #close} is called. Call it once.
     *
     * <p>An exception of the gate, for example because it is misused, and one of Kafka that cannot be retried end it. The
     * record stays uncommitted.
     */
    @Override
    public void run() {
        if (!started.compareAndSet(false, true)) {
            throw new IllegalStateException("A consumer runs once: build another one");
        }
        try (Consumer<K, V> consumer = builder.factory.apply(builder.settings)) {
            running = consumer;
            thread = Thread.currentThread();
            consumer.subscribe(builder.topics, new Rebalances(consumer));
            try {
                while (!stopped) {
                    cycle(consumer);
                }
            } catch (WakeupException e) {
                if (!stopped) {
                    throw e;
                }
            } finally {
                commit(consumer, backlog.takeAcknowledged());
            }
        } finally {
            running = null;
            ended.countDown();
        }
    }

    private void cycle(Consumer<K, V> consumer) {
        try {
            backlog.add(poll(consumer));
        } catch (RecordDeserializationException e) {
            skipUnreadable(consumer, e);
        }
        long pollAt = System.nanoTime() + builder.pollEvery.toNanos();
        while (!stopped && !backlog.isEmpty() && pollAt - System.nanoTime() > 0) {
            process(consumer, backlog.first());
        }
        commit(consumer, backlog.takeAcknowledged());
    }

    private ConsumerRecords<K, V> poll(Consumer<K, V> consumer) {
        if (!backlog.isEmpty()) {
            consumer.pause(consumer.assignment());
            return consumer.poll(Duration.ZERO);
        }
        List<TopicPartition> due = new ArrayList<>(consumer.assignment());
        due.removeIf(backlog::isWaiting);
        consumer.resume(due);
        return consumer.poll(backlog.untilNextDue(LONGEST_POLL));
    }

    private void process(Consumer<K, V> consumer, TopicPartition partition) {
        List<ConsumerRecord<K, V>> records = builder.batches ? backlog.all(partition) : backlog.next(partition);
        List<Disposition> dispositions = receiver.apply(records);
        if (dispositions.size() != records.size()) {
            throw new IllegalStateException(
                    "The gate returned %d dispositions for %d records".formatted(dispositions.size(), records.size()));
        }
        for (int i = 0; i < records.size(); i++) {
            if (dispositions.get(i) instanceof Redeliver redeliver) {
                backlog.postpone(partition, redeliver.after());
                consumer.pause(List.of(partition));
                consumer.seek(partition, records.get(i).offset());
                LOG.debug(
                        "Paused {} for {} at an unacknowledged record: {}",
                        partition,
                        redeliver.after(),
                        redeliver.why());
                return;
            }
            backlog.acknowledge(partition, records.get(i));
        }
    }

    private void skipUnreadable(Consumer<K, V> consumer, RecordDeserializationException failure) {
        TopicPartition partition = failure.topicPartition();
        if (backlog.holds(partition)) {
            // Earlier records come first. The next poll throws it again.
            return;
        }
        builder.unreadable.accept(failure);
        consumer.seek(partition, failure.offset() + 1);
        backlog.acknowledge(partition, failure.offset());
    }

    private void commit(Consumer<K, V> consumer, Map<TopicPartition, OffsetAndMetadata> offsets) {
        if (offsets.isEmpty()) {
            return;
        }
        try {
            consumer.commitSync(offsets, COMMIT_LIMIT);
        } catch (WakeupException e) {
            backlog.putBack(offsets);
            if (!stopped) {
                throw e;
            }
            commit(consumer, backlog.takeAcknowledged());
        } catch (RebalanceInProgressException | TimeoutException e) {
            // The next poll ends the rebalance, and the offsets are committed after it or when the partitions are
            // revoked.
            backlog.putBack(offsets);
            LOG.info("Offsets are committed later: {}", e.getClass().getName());
        } catch (CommitFailedException e) {
            LOG.warn(
                    "The group has given the partitions to other consumers. They receive the records again, as duplicates");
        }
    }

    /** Ends {@link #run} after the current record, and waits for its end unless it is called from there. */
    @Override
    public void close() {
        stopped = true;
        Consumer<K, V> consumer = running;
        if (consumer != null) {
            consumer.wakeup();
        }
        if (!started.get() || Thread.currentThread().equals(thread)) {
            return;
        }
        try {
            ended.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Kafka calls it during a poll, so never while a record is processed. */
    private final class Rebalances implements ConsumerRebalanceListener {
        private final Consumer<K, V> consumer;

        Rebalances(Consumer<K, V> consumer) {
            this.consumer = consumer;
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            commit(consumer, backlog.takeAcknowledged(partitions));
            backlog.forget(partitions);
        }

        @Override
        public void onPartitionsLost(Collection<TopicPartition> partitions) {
            backlog.forget(partitions);
        }

        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            if (!backlog.isEmpty()) {
                consumer.pause(partitions);
            }
            if (!builder.readsFromTheBeginning()) {
                commit(consumer, firstPositions(partitions));
            }
        }

        /** Where to begin in partitions of which the group has committed no offset yet. */
        private Map<TopicPartition, OffsetAndMetadata> firstPositions(Collection<TopicPartition> partitions) {
            Map<TopicPartition, OffsetAndMetadata> first = new HashMap<>();
            consumer.committed(Set.copyOf(partitions)).forEach((partition, committed) -> {
                if (committed == null) {
                    first.put(partition, new OffsetAndMetadata(consumer.position(partition)));
                }
            });
            return first;
        }
    }
}

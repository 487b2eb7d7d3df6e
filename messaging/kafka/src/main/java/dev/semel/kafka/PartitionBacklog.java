// SPDX-License-Identifier: Apache-2.0
package dev.semel.kafka;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/** The records that are not processed yet, the partitions that wait, and the offsets that are not committed yet. One thread. */
final class PartitionBacklog<K, V> {
    private final Map<TopicPartition, Deque<ConsumerRecord<K, V>>> records = new LinkedHashMap<>();
    private final Map<TopicPartition, OffsetAndMetadata> acknowledged = new HashMap<>();

    /** When to try a partition again, in {@link System#nanoTime}. */
    private final Map<TopicPartition, Long> waiting = new HashMap<>();

    void add(ConsumerRecords<K, V> polled) {
        for (TopicPartition partition : polled.partitions()) {
            records.computeIfAbsent(partition, none -> new ArrayDeque<>()).addAll(polled.records(partition));
        }
    }

    boolean isEmpty() {
        return records.isEmpty();
    }

    boolean holds(TopicPartition partition) {
        return records.containsKey(partition);
    }

    TopicPartition first() {
        return records.keySet().iterator().next();
    }

    /** Takes the next record of a partition. */
    List<ConsumerRecord<K, V>> next(TopicPartition partition) {
        Deque<ConsumerRecord<K, V>> left = Objects.requireNonNull(records.get(partition));
        ConsumerRecord<K, V> next = left.remove();
        if (left.isEmpty()) {
            records.remove(partition);
        }
        return List.of(next);
    }

    /** Takes all records of a partition. */
    List<ConsumerRecord<K, V>> all(TopicPartition partition) {
        return List.copyOf(Objects.requireNonNull(records.remove(partition)));
    }

    void acknowledge(TopicPartition partition, ConsumerRecord<K, V> record) {
        acknowledged.put(partition, new OffsetAndMetadata(record.offset() + 1, record.leaderEpoch(), ""));
    }

    void acknowledge(TopicPartition partition, long offset) {
        acknowledged.put(partition, new OffsetAndMetadata(offset + 1));
    }

    /** Forgets the partition's records. Kafka delivers them again after the pause. */
    void postpone(TopicPartition partition, Duration pause) {
        records.remove(partition);
        waiting.put(partition, System.nanoTime() + pause.toNanos());
    }

    /** Whether the partition's pause has not passed. */
    boolean isWaiting(TopicPartition partition) {
        Long until = waiting.get(partition);
        if (until == null || until - System.nanoTime() > 0) {
            return until != null;
        }
        waiting.remove(partition);
        return false;
    }

    /** The time until the first pause has passed, but not longer than this. */
    Duration untilNextDue(Duration longest) {
        long now = System.nanoTime();
        long shortest = waiting.values().stream()
                .mapToLong(until -> Math.max(0, until - now))
                .min()
                .orElse(Long.MAX_VALUE);
        return shortest < longest.toNanos() ? Duration.ofNanos(shortest) : longest;
    }

    Map<TopicPartition, OffsetAndMetadata> takeAcknowledged() {
        return takeAcknowledged(new ArrayList<>(acknowledged.keySet()));
    }

    Map<TopicPartition, OffsetAndMetadata> takeAcknowledged(Collection<TopicPartition> partitions) {
        Map<TopicPartition, OffsetAndMetadata> taken = new HashMap<>();
        for (TopicPartition partition : partitions) {
            OffsetAndMetadata offset = acknowledged.remove(partition);
            if (offset != null) {
                taken.put(partition, offset);
            }
        }
        return taken;
    }

    /** After a commit that did not happen. */
    void putBack(Map<TopicPartition, OffsetAndMetadata> offsets) {
        offsets.forEach(acknowledged::putIfAbsent);
    }

    void forget(Collection<TopicPartition> partitions) {
        partitions.forEach(partition -> {
            records.remove(partition);
            acknowledged.remove(partition);
            waiting.remove(partition);
        });
    }
}

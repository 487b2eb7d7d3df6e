// SPDX-License-Identifier: Apache-2.0
package dev.semel.kafka;

import dev.semel.messaging.Disposition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.errors.RecordDeserializationException;
import org.jspecify.annotations.Nullable;

/** Builds a {@link GatedConsumer}. Topics, and either {@link #each} or {@link #batches}, are required. */
public final class GatedConsumerBuilder<K, V> {
    final Map<String, Object> settings;
    final Function<Map<String, Object>, Consumer<K, V>> factory;
    List<String> topics = List.of();

    @Nullable
    Function<List<ConsumerRecord<K, V>>, List<Disposition>> receiver;

    boolean batches;
    Duration pollEvery = Duration.ofSeconds(1);
    UnreadableRecords unreadable = failure -> {
        throw failure;
    };

    GatedConsumerBuilder(Map<String, Object> settings, Function<Map<String, Object>, Consumer<K, V>> factory) {
        this.factory = Objects.requireNonNull(factory, "A consumer factory must not be null");
        this.settings = new HashMap<>(settings);
        if (Boolean.parseBoolean(String.valueOf(this.settings.get(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG)))) {
            throw new IllegalArgumentException(
                    "enable.auto.commit must not be true: it commits offsets of records that are not processed yet. Remove it");
        }
        this.settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
        if (this.settings.get(ConsumerConfig.GROUP_ID_CONFIG) == null) {
            throw new IllegalArgumentException("group.id is required: offsets are committed for a consumer group");
        }
    }

    public GatedConsumerBuilder<K, V> topics(String... names) {
        topics = List.of(names);
        return this;
    }

    /** Processes one record at a time: {@code record -> gate.receive(record, handler)}. */
    public GatedConsumerBuilder<K, V> each(Function<ConsumerRecord<K, V>, Disposition> through) {
        Objects.requireNonNull(through, "A receiver must not be null");
        receiver = records -> {
            List<Disposition> dispositions = new ArrayList<>();
            records.forEach(record -> dispositions.add(through.apply(record)));
            return dispositions;
        };
        batches = false;
        return this;
    }

    /** Processes the records of one partition that a poll returned: {@code records -> gate.receiveAll(records, handler)}. */
    public GatedConsumerBuilder<K, V> batches(Function<List<ConsumerRecord<K, V>>, List<Disposition>> through) {
        receiver = Objects.requireNonNull(through, "A receiver must not be null");
        batches = true;
        return this;
    }

    /**
     * After this time the consumer polls between two records, so that the group keeps it as a member; by default 1 s. Only a
     * single record, or a single batch, can delay a poll further: it must take less than {@code max.poll.interval.ms}.
     */
    public GatedConsumerBuilder<K, V> pollEvery(Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException("The time between polls must be positive, but is " + value);
        }
        pollEvery = value;
        return this;
    }

    /** What to do with records that cannot be deserialized. By default the consumer ends with the exception. */
    public GatedConsumerBuilder<K, V> unreadable(UnreadableRecords to) {
        unreadable = Objects.requireNonNull(to, "A handler of unreadable records must not be null");
        return this;
    }

    /** Whether a consumer without a committed offset begins with the first record. */
    boolean readsFromTheBeginning() {
        return "earliest".equals(settings.get(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG));
    }

    public GatedConsumer<K, V> build() {
        if (topics.isEmpty()) {
            throw new IllegalStateException("A consumer needs topics: call topics(...)");
        }
        if (receiver == null) {
            throw new IllegalStateException("A consumer needs a gate: call each(...) or batches(...)");
        }
        return new GatedConsumer<>(this, receiver);
    }

    /** Receives records that cannot be deserialized. */
    @FunctionalInterface
    public interface UnreadableRecords {
        /**
         * Keeps the record. Once this returns, the record is skipped. If it throws, the consumer ends.
         *
         * @param failure has the partition, the offset and the bytes
         */
        void accept(RecordDeserializationException failure);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.testbroker;

import dev.semel.testservers.KafkaServer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** A topic and a consumer group of one test. Messages carry their id in the header {@code id}. */
public final class KafkaTopic implements AutoCloseable {
    public static final String ID = "id";

    private static final AtomicInteger COUNT = new AtomicInteger();

    private final KafkaServer server = KafkaServer.shared();
    private final int partitions;
    private final Admin admin = Admin.create(Map.of("bootstrap.servers", server.bootstrapServers()));
    private final KafkaProducer<String, String> producer = new KafkaProducer<>(
            Map.of(
                    "bootstrap.servers",
                    server.bootstrapServers(),
                    "max.in.flight.requests.per.connection",
                    "1",
                    "linger.ms",
                    "5",
                    "request.timeout.ms",
                    "5000",
                    "delivery.timeout.ms",
                    "60000"),
            new StringSerializer(),
            new StringSerializer());
    private final List<Future<RecordMetadata>> unconfirmed = new ArrayList<>();
    private final String name = "orders-" + COUNT.incrementAndGet();
    private final String group = "group-" + name;

    public KafkaTopic(int partitions) {
        this.partitions = partitions;
        get(admin.createTopics(List.of(new NewTopic(name, partitions, (short) 1)))
                .all());
    }

    public String name() {
        return name;
    }

    /** The consumer group of the test. */
    public String group() {
        return group;
    }

    private static <T> T get(Future<T> future) {
        try {
            return future.get();
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Sends a message and returns once the broker has it. */
    public RecordMetadata send(int partition, String id) {
        return get(sendLater(partition, id));
    }

    /** Sends a message without waiting; see {@link #flush}. */
    public Future<RecordMetadata> sendLater(int partition, String id) {
        ProducerRecord<String, String> record = new ProducerRecord<>(name, partition, null, "order " + id);
        record.headers().add(ID, id.getBytes(StandardCharsets.UTF_8));
        Future<RecordMetadata> sent = producer.send(record);
        unconfirmed.add(sent);
        return sent;
    }

    /** Waits until the broker has all messages. */
    public void flush() {
        unconfirmed.forEach(KafkaTopic::get);
        unconfirmed.clear();
    }

    /** A message without an id. */
    public void sendWithoutId(int partition) {
        send(new ProducerRecord<>(name, partition, null, "order without id"));
    }

    /** Sends a record as it is, and returns once the broker has it. */
    public void send(ProducerRecord<String, String> record) {
        get(producer.send(record));
    }

    /** The settings of a consumer of the group. */
    public Map<String, Object> settings() {
        return settings(server.bootstrapServers(), group);
    }

    /** The settings of a consumer of this group. */
    public static Map<String, Object> settings(String bootstrapServers, String group) {
        Map<String, Object> settings = new HashMap<>();
        settings.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
        settings.put(ConsumerConfig.GROUP_ID_CONFIG, group);
        settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        settings.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, StringDeserializer.class);
        settings.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, StringDeserializer.class);
        settings.put(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, "3000");
        settings.put(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, "500");
        return settings;
    }

    /** The offset that the group has committed for a partition; 0 if none. */
    public long committed(int partition) {
        Map<TopicPartition, OffsetAndMetadata> offsets =
                get(admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata());
        return Optional.ofNullable(offsets.get(new TopicPartition(name, partition)))
                .map(OffsetAndMetadata::offset)
                .orElse(0L);
    }

    /** The offset after the last record of a partition. */
    public long end(int partition) {
        TopicPartition asked = new TopicPartition(name, partition);
        return get(admin.listOffsets(Map.of(asked, OffsetSpec.latest())).partitionResult(asked))
                .offset();
    }

    /** How many records the group has not committed yet, for each partition. */
    public Map<Integer, Long> lag() {
        return IntStream.range(0, partitions)
                .boxed()
                .collect(Collectors.toMap(partition -> partition, partition -> end(partition) - committed(partition)));
    }

    /** Whether the group has committed the offsets of all records. */
    public boolean isConsumed() {
        return lag().values().stream().allMatch(left -> left == 0);
    }

    /** How many consumers the group has. */
    public int members() {
        return get(admin.describeConsumerGroups(List.of(group)).all()).values().stream()
                .mapToInt(described -> described.members().size())
                .sum();
    }

    public String bootstrapServers() {
        return server.bootstrapServers();
    }

    @Override
    public void close() {
        producer.close();
        admin.close();
    }
}

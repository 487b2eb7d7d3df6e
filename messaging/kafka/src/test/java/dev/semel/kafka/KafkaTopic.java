// SPDX-License-Identifier: Apache-2.0
package dev.semel.kafka;

import dev.semel.testservers.KafkaServer;
import java.nio.charset.StandardCharsets;
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
final class KafkaTopic implements AutoCloseable {
    static final String ID = "id";

    private static final AtomicInteger COUNT = new AtomicInteger();

    private final KafkaServer server = KafkaServer.shared();
    private final int partitions;
    private final Admin admin = Admin.create(Map.of("bootstrap.servers", server.bootstrapServers()));
    private final KafkaProducer<String, String> producer = new KafkaProducer<>(
            Map.of("bootstrap.servers", server.bootstrapServers(), "linger.ms", "5"),
            new StringSerializer(),
            new StringSerializer());
    final String name = "orders-" + COUNT.incrementAndGet();
    final String group = "group-" + name;

    KafkaTopic(int partitions) {
        this.partitions = partitions;
        get(admin.createTopics(List.of(new NewTopic(name, partitions, (short) 1)))
                .all());
    }

    private static <T> T get(Future<T> future) {
        try {
            return future.get();
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Sends a message and returns once the broker has it. */
    RecordMetadata send(int partition, String id) {
        return get(sendLater(partition, id));
    }

    Future<RecordMetadata> sendLater(int partition, String id) {
        ProducerRecord<String, String> record = new ProducerRecord<>(name, partition, null, "order " + id);
        record.headers().add(ID, id.getBytes(StandardCharsets.UTF_8));
        return producer.send(record);
    }

    void flush() {
        producer.flush();
    }

    /** A message without an id. */
    void sendWithoutId(int partition) {
        get(producer.send(new ProducerRecord<>(name, partition, null, "order without id")));
    }

    Map<String, Object> settings() {
        return settings(server.bootstrapServers(), group);
    }

    static Map<String, Object> settings(String bootstrapServers, String group) {
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
    long committed(int partition) {
        Map<TopicPartition, OffsetAndMetadata> offsets =
                get(admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata());
        return Optional.ofNullable(offsets.get(new TopicPartition(name, partition)))
                .map(OffsetAndMetadata::offset)
                .orElse(0L);
    }

    long end(int partition) {
        TopicPartition asked = new TopicPartition(name, partition);
        return get(admin.listOffsets(Map.of(asked, OffsetSpec.latest())).partitionResult(asked))
                .offset();
    }

    /** How many records the group has not committed yet, for each partition. */
    Map<Integer, Long> lag() {
        return IntStream.range(0, partitions)
                .boxed()
                .collect(Collectors.toMap(partition -> partition, partition -> end(partition) - committed(partition)));
    }

    boolean isConsumed() {
        return lag().values().stream().allMatch(left -> left == 0);
    }

    int members() {
        return get(admin.describeConsumerGroups(List.of(group)).all())
                .get(group)
                .members()
                .size();
    }

    String bootstrapServers() {
        return server.bootstrapServers();
    }

    @Override
    public void close() {
        producer.close();
        admin.close();
    }
}

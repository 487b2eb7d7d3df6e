// SPDX-License-Identifier: Apache-2.0
package dev.semel.examples.kafka;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.serialization.StringSerializer;

/** The side of the senders: a topic of payments, and one for those that could not be recorded. */
final class PaymentTopic implements AutoCloseable {
    static final String NAME = "payments";
    static final String DEAD = "payments.dead";

    /** The header with the id that the sender gives a payment. It is the same if the sender sends again. */
    static final String ID = "payment-id";

    private final KafkaProducer<String, String> producer;

    private PaymentTopic(KafkaProducer<String, String> producer) {
        this.producer = producer;
    }

    /** Creates the topics if they do not exist. */
    static PaymentTopic open(String broker) throws InterruptedException, ExecutionException {
        Map<String, Object> settings = Map.of("bootstrap.servers", broker);
        try (Admin admin = Admin.create(settings)) {
            for (String name : List.of(NAME, DEAD)) {
                create(admin, name);
            }
        }
        return new PaymentTopic(new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer()));
    }

    private static void create(Admin admin, String name) throws InterruptedException, ExecutionException {
        try {
            admin.createTopics(List.of(new NewTopic(name, Optional.of(1), Optional.empty())))
                    .all()
                    .get();
        } catch (ExecutionException e) {
            if (!(e.getCause() instanceof TopicExistsException)) {
                throw e;
            }
        }
    }

    /** Returns once the broker has it. */
    void send(String id, String order, long cents) throws InterruptedException, ExecutionException {
        ProducerRecord<String, String> record = new ProducerRecord<>(NAME, order, String.valueOf(cents));
        record.headers().add(ID, id.getBytes(StandardCharsets.UTF_8));
        producer.send(record).get();
    }

    /** Keeps a payment that could not be recorded, with its headers. */
    void giveUp(ConsumerRecord<String, String> payment) throws InterruptedException, ExecutionException {
        producer.send(new ProducerRecord<>(DEAD, null, payment.key(), payment.value(), payment.headers()))
                .get();
    }

    @Override
    public void close() {
        producer.close();
    }
}

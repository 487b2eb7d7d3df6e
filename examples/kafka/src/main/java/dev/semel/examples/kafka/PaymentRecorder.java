// SPDX-License-Identifier: Apache-2.0
package dev.semel.examples.kafka;

import dev.semel.FailureClass;
import dev.semel.Semel;
import dev.semel.jdbc.JdbcClaimStore;
import dev.semel.jdbc.TransactionalClaims;
import dev.semel.kafka.GatedConsumer;
import dev.semel.kafka.RecordKeys;
import dev.semel.messaging.ConsumerGate;
import dev.semel.messaging.Disposition;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.StringDeserializer;

/**
 * Writes payments of a topic into a table. Row and claim are one commit, so a payment that is sent or delivered again adds no
 * row. The offset is committed afterwards.
 */
final class PaymentRecorder {
    private final TransactionalClaims claims;
    private final ConsumerGate<ConsumerRecord<String, String>> gate;
    private final GatedConsumer<String, String> consumer;
    private int left;

    /** Stops after so many messages. A service would run until it is closed. */
    PaymentRecorder(Semel semel, JdbcClaimStore store, PaymentTopic topic, String broker, int messages) {
        this.left = messages;
        this.claims = TransactionalClaims.on(store, semel.secrets());
        this.gate = ConsumerGate.<ConsumerRecord<String, String>>on(semel, "payments.record")
                .key(RecordKeys.header(PaymentTopic.ID))
                .classifyingFailures(failure ->
                        failure instanceof NumberFormatException ? FailureClass.FINAL : FailureClass.RETRYABLE)
                .deadLetters((payment, letter) -> topic.giveUp(payment))
                .build();
        Map<String, Object> settings = Map.of(
                "bootstrap.servers",
                broker,
                "group.id",
                "payment-recorder",
                "auto.offset.reset",
                "earliest",
                "key.deserializer",
                StringDeserializer.class,
                "value.deserializer",
                StringDeserializer.class);
        this.consumer = GatedConsumer.<String, String>of(settings, KafkaConsumer::new)
                .topics(PaymentTopic.NAME)
                .each(this::receive)
                .build();
    }

    void run() {
        consumer.run();
    }

    private Disposition receive(ConsumerRecord<String, String> record) {
        Disposition disposition =
                gate.receive(record, claims, (payment, connection, run) -> insert(connection, payment));
        System.out.printf("offset %d: %s%n", record.offset(), describe(disposition));
        if (disposition.acknowledged()) {
            left--;
        }
        if (left == 0) {
            consumer.close();
        }
        return disposition;
    }

    private static String describe(Disposition disposition) {
        if (disposition instanceof Disposition.Acknowledge done) {
            return done.duplicate() ? "duplicate" : "recorded";
        }
        return disposition instanceof Disposition.DeadLettered ? "given up" : "later";
    }

    private static void insert(Connection connection, ConsumerRecord<String, String> payment) throws SQLException {
        try (Statement table = connection.createStatement();
                PreparedStatement row = prepareRow(table)) {
            row.setString(1, payment.key());
            row.setLong(2, Long.parseLong(payment.value()));
            row.executeUpdate();
        }
    }

    private static PreparedStatement prepareRow(Statement table) throws SQLException {
        table.execute("CREATE TABLE IF NOT EXISTS payments (purchase TEXT NOT NULL, cents BIGINT NOT NULL)");
        return table.getConnection().prepareStatement("INSERT INTO payments (purchase, cents) VALUES (?, ?)");
    }
}

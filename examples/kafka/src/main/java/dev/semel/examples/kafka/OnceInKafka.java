// SPDX-License-Identifier: Apache-2.0
package dev.semel.examples.kafka;

import dev.semel.Semel;
import dev.semel.jdbc.JdbcClaimStore;
import dev.semel.key.Secrets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;

/**
 * Sends the same payment twice, as a sender does that did not receive the first confirmation, and records it once. Run it twice
 * with the same file: nothing is added.
 */
public final class OnceInKafka {
    private OnceInKafka() {}

    /** The arguments are the address of a broker and the name of a file. */
    public static void main(String[] arguments) throws Exception {
        String broker = arguments.length > 0 ? arguments[0] : "127.0.0.1:9092";
        Path file = Path.of(arguments.length > 1 ? arguments[1] : "payments.db");
        Secrets secrets = Secrets.of("change-me: at least 32 random bytes");
        try (JdbcClaimStore store = JdbcClaimStore.sqlite(file);
                Semel semel = Semel.on(store).secrets(secrets).build();
                PaymentTopic topic = PaymentTopic.open(broker)) {
            topic.send("pay-17", "order-17", 1999);
            topic.send("pay-17", "order-17", 1999);
            new PaymentRecorder(semel, store, topic, broker, 2).run();
        }
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT count(*), sum(cents) FROM payments")) {
            rows.next();
            System.out.printf("payments: %d, %d cents%n", rows.getLong(1), rows.getLong(2));
        }
    }
}

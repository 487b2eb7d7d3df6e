// SPDX-License-Identifier: Apache-2.0
package dev.semel.kafka;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.semel.RunContext;
import dev.semel.Semel;
import dev.semel.jdbc.JdbcClaimStore;
import dev.semel.jdbc.TransactionalClaims;
import dev.semel.key.Secrets;
import dev.semel.messaging.ConsumerGate;
import dev.semel.messaging.Disposition;
import dev.semel.testbroker.KafkaTopic;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;

/**
 * A consumer in a process of its own. Even messages write a row in the transaction of their claim. Odd ones call a service,
 * which logs each call with its child key. The process ends in the regular way when its input is closed.
 */
final class ConsumerProgram {
    static final String HANGING = "HANGING";
    static final String IN_TRANSACTION = "INSERT INTO effects (id) VALUES (?)";
    static final String CALL = "INSERT INTO calls (id, child_key) VALUES (?, ?)";

    private final HikariDataSource pool;
    private final TransactionalClaims claims;
    private final String hangAt;
    private final ConsumerGate<ConsumerRecord<String, String>> inTransaction;
    private final ConsumerGate<ConsumerRecord<String, String>> calling;

    private ConsumerProgram(Semel semel, JdbcClaimStore store, HikariDataSource pool, String hangAt) {
        this.pool = pool;
        this.claims = TransactionalClaims.on(store, semel.secrets());
        this.hangAt = hangAt;
        this.inTransaction = gate(semel, "orders.book");
        this.calling = gate(semel, "orders.charge");
    }

    private static ConsumerGate<ConsumerRecord<String, String>> gate(Semel semel, String scope) {
        return ConsumerGate.<ConsumerRecord<String, String>>on(semel, scope)
                .key(RecordKeys.header(KafkaTopic.ID))
                .lease(Duration.ofSeconds(2))
                .pauses(Duration.ofMillis(100), Duration.ofSeconds(1))
                .deadLetters((record, letter) -> {
                    throw new IllegalStateException("No message of this test is given up");
                })
                .build();
    }

    /**
     * Consumes.
     *
     * @param arguments broker, group, topic, database URL, user, password, and the message at which to hang
     */
    public static void main(String[] arguments) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(arguments[3]);
        config.setUsername(arguments[4]);
        config.setPassword(arguments[5]);
        config.setMaximumPoolSize(6);
        try (HikariDataSource pool = new HikariDataSource(config);
                JdbcClaimStore store = JdbcClaimStore.on(pool);
                Semel semel = Semel.on(store)
                        .secrets(Secrets.of("a secret of at least thirty-two bytes, for tests only"))
                        .storeThreads(4)
                        .build()) {
            ConsumerProgram program = new ConsumerProgram(semel, store, pool, arguments[6]);
            Map<String, Object> settings = KafkaTopic.settings(arguments[0], arguments[1]);
            settings.put("max.poll.interval.ms", "3000");
            settings.put("max.poll.records", "100");
            GatedConsumer<String, String> consumer = GatedConsumer.<String, String>of(settings, KafkaConsumer::new)
                    .topics(arguments[2])
                    .each(program::receive)
                    .build();
            Thread closing = new Thread(() -> closeAtEndOfInput(consumer));
            closing.setDaemon(true);
            closing.start();
            consumer.run();
        }
    }

    private static void closeAtEndOfInput(GatedConsumer<?, ?> consumer) {
        try {
            System.in.read();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        consumer.close();
    }

    static boolean isInTransaction(String id) {
        return Integer.parseInt(id.substring(1)) % 2 == 0;
    }

    private Disposition receive(ConsumerRecord<String, String> record) {
        String id = RecordKeys.header(KafkaTopic.ID).apply(record);
        return isInTransaction(id)
                ? inTransaction.receive(record, claims, (message, connection, run) -> {
                    execute(connection, IN_TRANSACTION, id);
                    hang(id);
                })
                : calling.receive(record, (message, run) -> call(id, run));
    }

    private void call(String id, RunContext run) throws SQLException {
        try (Connection service = pool.getConnection()) {
            execute(service, CALL, id, run.childKey("charge"));
        }
        hang(id);
    }

    private void hang(String id) {
        if (id.equals(hangAt)) {
            System.out.println(HANGING);
            while (true) {
                LockSupport.park();
            }
        }
    }

    private static void execute(Connection connection, String sql, String... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setString(i + 1, values[i]);
            }
            statement.executeUpdate();
        }
    }
}

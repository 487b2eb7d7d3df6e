// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Codec;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.Semel;
import dev.semel.key.Secret;
import dev.semel.key.Secrets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A process that claims, has effects and settles as fast as it can until it is killed. It reports settled keys on
 * stdout.
 */
final class ClaimingProcess {
    static final Operation<String> OPERATION = Operation.of("crash", Codec.text());
    static final Secret SECRET = Secret.of("0123456789abcdef0123456789abcdef");
    static final String TENANT = "acme";

    private ClaimingProcess() {}

    /** Arguments: the JDBC URL of the claims, user, password, and the URL of the database with the effects. */
    public static void main(String[] arguments) throws Exception {
        JdbcClaimStore store = open(arguments[0], arguments[1], arguments[2]);
        Semel semel = Semel.on(store).secrets(Secrets.of(SECRET)).withoutSweep().build();
        AtomicInteger next = new AtomicInteger();
        for (int thread = 0; thread < 4; thread++) {
            Connection effects = DriverManager.getConnection(arguments[3], arguments[1], arguments[2]);
            new Thread(() -> claimForever(semel, effects, next)).start();
        }
    }

    private static JdbcClaimStore open(String url, String user, String password) {
        if (url.startsWith("jdbc:sqlite:")) {
            return JdbcClaimStore.sqlite(Path.of(url.substring("jdbc:sqlite:".length())));
        }
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setUsername(user);
        config.setPassword(password);
        config.setMaximumPoolSize(8);
        return JdbcClaimStore.on(new HikariDataSource(config));
    }

    private static void claimForever(Semel semel, Connection effects, AtomicInteger next) {
        while (true) {
            String key = "key-" + next.getAndIncrement();
            Outcome<String> outcome = semel.execute(OPERATION, OPERATION.key(TENANT, key), run -> {
                effect(effects, key, run.childKey("effect"), run.attempt());
                return "done " + key;
            });
            if (outcome instanceof Outcome.Succeeded<String>) {
                System.out.println("DONE " + key);
            }
        }
    }

    static void effect(Connection effects, String key, String childKey, int attempt) throws Exception {
        try (PreparedStatement insert =
                effects.prepareStatement("INSERT INTO effects (name, child_key, attempt) VALUES (?, ?, ?)")) {
            insert.setString(1, key);
            insert.setString(2, childKey);
            insert.setInt(3, attempt);
            insert.executeUpdate();
        }
    }
}

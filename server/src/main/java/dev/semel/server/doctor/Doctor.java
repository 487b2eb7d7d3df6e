// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.doctor;

import dev.semel.claim.StoreException;
import dev.semel.jdbc.JdbcClaimStore;
import dev.semel.jdbc.SchemaException;
import dev.semel.jdbc.sql.Database;
import dev.semel.server.config.Settings;
import dev.semel.server.storage.DatabasePool;
import dev.semel.server.storage.Engine;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** Runs all checks. It changes nothing. */
public final class Doctor {
    private final Settings settings;
    private final Clock clock;

    /** @param clock this machine's clock */
    public Doctor(Settings settings, Clock clock) {
        this.settings = settings;
        this.clock = clock;
    }

    /** Returns what should be changed; empty if all is well. */
    public List<Finding> findings() {
        List<Finding> all = new ArrayList<>(SettingChecks.of(settings));
        settings.redis().ifPresent(url -> all.addAll(RedisCheck.of(url)));
        if (settings.database().dynamo().isPresent()) {
            all.addAll(DynamoChecks.of(settings.database().dynamo().get()));
            return List.copyOf(all);
        }
        try (DatabasePool pool = DatabasePool.open(settings.database())) {
            try {
                all.addAll(database(pool.dataSource()));
            } catch (StoreException | SchemaException e) {
                all.add(Finding.error(
                        "database",
                        String.valueOf(pool.unusable(e).getMessage()),
                        "Make the database available, then run `semel doctor` again"));
            }
        }
        return List.copyOf(all);
    }

    private List<Finding> database(DataSource source) {
        Database database = Database.of(source);
        List<Finding> all = new ArrayList<>();
        try (Connection connection = source.getConnection()) {
            ServerVariables variables = new ServerVariables(connection);
            switch (database) {
                case POSTGRESQL -> all.addAll(PostgresChecks.of(variables, settings.database()));
                case MARIADB, MYSQL -> all.addAll(MariaDbChecks.of(variables, settings.database()));
                case SQLITE -> all.addAll(SqliteChecks.of(variables));
            }
            ClockCheck.of(variables, database, clock).ifPresent(all::add);
        } catch (SQLException e) {
            all.add(Finding.error(
                    "database",
                    "The database refuses a query about its settings (SQLState %s)".formatted(e.getSQLState()),
                    "Check that the user may connect and read, then run `semel doctor` again"));
            return all;
        }
        List<Finding> tables =
                SchemaChecks.of(source, database, settings.database().schema());
        all.addAll(tables);
        if (tables.stream().noneMatch(finding -> finding.check().equals("schema"))) {
            CleanupCheck.of(JdbcClaimStore.on(source), settings.cleanup(), clock.instant())
                    .ifPresent(all::add);
            SecretCheck.of(source, Engine.existingSecrets(settings)).ifPresent(all::add);
        }
        return all;
    }
}

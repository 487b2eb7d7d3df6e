// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.work;

import dev.semel.dynamodb.DynamoClaimStore;
import dev.semel.jdbc.Schema;
import dev.semel.journal.Journal;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;

/** Creates the tables of a run, in a process of its own: the schema is part of what is tested. */
public final class CreateTables {
    private static final int DYNAMO_ATTEMPTS = 9;

    private CreateTables() {}

    /** Creates them in the database of the settings in this file. */
    public static void main(String[] arguments) throws SQLException {
        WorkerSettings settings = WorkerSettings.read(Path.of(arguments[0]));
        if (DynamoClients.isMeant(settings.url())) {
            DynamoClaimStore.creating(DynamoClients.of(settings.url(), DYNAMO_ATTEMPTS), DynamoClients.TABLE);
        } else {
            inSql(settings);
        }
        Runtime.getRuntime().halt(0);
    }

    private static void inSql(WorkerSettings settings) throws SQLException {
        DataSource pool = Pools.of(settings, Duration.ofSeconds(30));
        Schema.of(pool).migrate();
        Journal.schema(pool).migrate();
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE torture_effects (item VARCHAR(100) NOT NULL, hash VARCHAR(32) NOT NULL)");
            statement.execute("CREATE TABLE torture_uncommitted (note VARCHAR(100) NOT NULL)");
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.doctor;

import dev.semel.server.config.DatabaseSettings;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Durability, isolation and connections of PostgreSQL. */
final class PostgresChecks {
    private static final String VARIABLES = """
            SELECT name, setting FROM pg_settings
            WHERE name IN ('fsync', 'full_page_writes', 'synchronous_commit', 'synchronous_standby_names',
                'default_transaction_isolation', 'max_connections', 'superuser_reserved_connections')
            """;

    private PostgresChecks() {}

    static List<Finding> of(ServerVariables variables, DatabaseSettings settings) throws SQLException {
        Map<String, String> values = variables.pairs(VARIABLES);
        String database = variables.one("SELECT quote_ident(current_database())");
        List<Finding> all = new ArrayList<>();
        for (String name : List.of("fsync", "full_page_writes")) {
            if (values.getOrDefault(name, "on").equals("off")) {
                all.add(Finding.error(
                        "postgresql." + name,
                        name + " is off: a crash of the machine can lose or damage acknowledged claims",
                        "ALTER SYSTEM SET %s = on; SELECT pg_reload_conf();".formatted(name)));
            }
        }
        String commit = values.getOrDefault("synchronous_commit", "on");
        String standbys = values.getOrDefault("synchronous_standby_names", "");
        if (commit.equals("off") || (commit.equals("local") && !standbys.isEmpty())) {
            all.add(Finding.error(
                    "postgresql.synchronous_commit",
                    "synchronous_commit is %s: a claim is acknowledged before it is safe, so a crash can lose it and the work"
                                    .formatted(commit)
                            + " runs again",
                    "ALTER DATABASE %s SET synchronous_commit = on;".formatted(database)));
        }
        if (standbys.isEmpty()) {
            all.add(
                    Finding.note(
                            "postgresql.synchronous_standby",
                            "No synchronous standby: if the primary is lost, a failover loses the newest acknowledged claims",
                            "If there are standbys: ALTER SYSTEM SET synchronous_standby_names = 'ANY 1 (*)'; SELECT pg_reload_conf();"));
        }
        String isolation = values.getOrDefault("default_transaction_isolation", "read committed");
        if (!isolation.equals("read committed")) {
            all.add(Finding.warning(
                    "postgresql.isolation",
                    "default_transaction_isolation is %s: concurrent claims abort each other and are retried"
                            .formatted(isolation),
                    "ALTER DATABASE %s SET default_transaction_isolation = 'read committed';".formatted(database)));
        }
        int usable = Integer.parseInt(values.getOrDefault("max_connections", "100"))
                - Integer.parseInt(values.getOrDefault("superuser_reserved_connections", "3"));
        PoolCheck.of(settings, usable, "ALTER SYSTEM SET max_connections = %d, and restart PostgreSQL")
                .ifPresent(all::add);
        return all;
    }
}

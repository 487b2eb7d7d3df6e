// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.doctor;

import dev.semel.server.config.DatabaseSettings;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Durability, isolation and connections of MariaDB and MySQL. */
final class MariaDbChecks {
    private static final String VARIABLES = """
            SHOW GLOBAL VARIABLES WHERE Variable_name IN ('innodb_flush_log_at_trx_commit', 'log_bin', 'sync_binlog',
                'tx_isolation', 'transaction_isolation', 'max_connections')
            """;
    private static final String KEEP = " Add it to the server's configuration file, so that it survives a restart";

    private MariaDbChecks() {}

    static List<Finding> of(ServerVariables variables, DatabaseSettings settings) throws SQLException {
        Map<String, String> values = variables.pairs(VARIABLES);
        List<Finding> all = new ArrayList<>();
        String flush = values.getOrDefault("innodb_flush_log_at_trx_commit", "1");
        if (!flush.equals("1")) {
            all.add(Finding.error(
                    "mariadb.innodb_flush_log_at_trx_commit",
                    "innodb_flush_log_at_trx_commit is %s: a crash can lose acknowledged claims, and the work runs again"
                            .formatted(flush),
                    "SET GLOBAL innodb_flush_log_at_trx_commit = 1;" + KEEP));
        }
        String binlog = values.getOrDefault("sync_binlog", "1");
        if (values.getOrDefault("log_bin", "OFF").equals("ON") && !binlog.equals("1")) {
            all.add(Finding.warning(
                    "mariadb.sync_binlog",
                    "sync_binlog is %s: after a crash, a replica may lack acknowledged claims".formatted(binlog),
                    "SET GLOBAL sync_binlog = 1;" + KEEP));
        }
        String isolation = values.getOrDefault("tx_isolation", values.getOrDefault("transaction_isolation", ""));
        if (isolation.equals("READ-UNCOMMITTED") || isolation.equals("SERIALIZABLE")) {
            all.add(Finding.warning(
                    "mariadb.isolation",
                    "The isolation level is %s: claims inside transactions are refused or block each other"
                            .formatted(isolation),
                    "SET GLOBAL TRANSACTION ISOLATION LEVEL READ COMMITTED;" + KEEP));
        }
        PoolCheck.of(
                        settings,
                        Integer.parseInt(values.getOrDefault("max_connections", "151")),
                        "SET GLOBAL max_connections = %d;" + KEEP)
                .ifPresent(all::add);
        return all;
    }
}

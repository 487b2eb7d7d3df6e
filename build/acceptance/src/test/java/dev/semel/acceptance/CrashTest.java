// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.testservers.DatabaseServer;
import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/**
 * Server and database are killed under load: no acknowledged event, call or settlement is lost, and none happens twice. One
 * kill each in a normal build, twenty each in the profile {@code chaos}.
 */
@BlackBox
@Order(1)
class CrashTest {
    private static final int CRASHES = Integer.getInteger("semel.crashes", 1);
    private static final int BETWEEN = 150;
    private static final System.Logger LOG = System.getLogger(CrashTest.class.getName());

    @Test
    void theServerOnSqlite() {
        try (RunningServer server = Environment.SQLITE.fresh(Configuration.development())) {
            crash(server, server.process()::kill, server.process()::start);
        }
    }

    @Test
    void theServerOnPostgres() {
        try (RunningServer server = Environment.POSTGRES.fresh(Configuration.development())) {
            crash(server, server.process()::kill, server.process()::start);
        }
    }

    @Test
    void theServerOnMariaDb() {
        try (RunningServer server = Environment.MARIADB.fresh(Configuration.development())) {
            crash(server, server.process()::kill, server.process()::start);
        }
    }

    @Test
    void postgresUnderTheServer() {
        crashUnderTheServer(Environment.POSTGRES);
    }

    @Test
    void mariaDbUnderTheServer() {
        crashUnderTheServer(Environment.MARIADB);
    }

    private static void crashUnderTheServer(Environment environment) {
        Configuration configuration = Configuration.development();
        try (DatabaseServer databaseServer = environment.database().startServer()) {
            Database database = Database.on(databaseServer);
            Launch launch = Environment.launch(configuration, database, null);
            try (RunningServer server = RunningServer.start(launch, configuration, database)) {
                crash(server, databaseServer::kill, databaseServer::restart);
                assertThat(server.process().isAlive()).isTrue();
            }
        }
    }

    private static void crash(RunningServer server, Runnable kill, Runnable restart) {
        try (Load load = new Load(List.of(server), true)) {
            load.start();
            for (int i = 0; i < CRASHES; i++) {
                load.awaitMore(BETWEEN);
                kill.run();
                restart.run();
                if ((i + 1) % 10 == 0) {
                    LOG.log(System.Logger.Level.INFO, "{0} of {1} kills, nothing lost so far", i + 1, CRASHES);
                }
            }
            load.awaitMore(BETWEEN);
            load.stop();
            load.verify();
        }
    }
}

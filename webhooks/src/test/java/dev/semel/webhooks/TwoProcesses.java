// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.semel.jdbc.JdbcClaimStore;
import dev.semel.memory.MemoryClaimStore;
import dev.semel.spi.ClaimStore;
import dev.semel.testkit.FaultyStore;
import dev.semel.testservers.DatabaseServer;
import dev.semel.testservers.MariaDbServer;
import dev.semel.testservers.PostgresServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Two processes on one new store. A test can make the store fail for the first process. */
final class TwoProcesses implements AutoCloseable {
    /** The kind of store. */
    enum Database {
        MEMORY,
        SQLITE,
        POSTGRESQL,
        MARIADB
    }

    private static final AtomicInteger COUNT = new AtomicInteger();

    /** Handles the events of both processes, if a test uses it for both. */
    final TestHandler handler = new TestHandler();

    private final List<AutoCloseable> opened = new ArrayList<>();
    private final List<FaultyStore> stores = new ArrayList<>();
    private final List<OneProcess> processes = new ArrayList<>();

    private TwoProcesses() {}

    static TwoProcesses on(Database database, Path folder) {
        TwoProcesses two = new TwoProcesses();
        String name = "webhooks_" + COUNT.incrementAndGet();
        switch (database) {
            case MEMORY -> {
                MemoryClaimStore shared = new MemoryClaimStore();
                two.process(shared);
                two.process(shared);
            }
            case SQLITE -> {
                two.closing(JdbcClaimStore.sqlite(folder.resolve(name)));
                two.closing(JdbcClaimStore.sqlite(folder.resolve(name)));
            }
            case POSTGRESQL -> two.processes(PostgresServer.shared(), name);
            case MARIADB -> two.processes(MariaDbServer.shared(), name);
        }
        return two;
    }

    private void processes(DatabaseServer server, String name) {
        String url = server.createDatabase(name);
        for (int i = 0; i < 2; i++) {
            HikariConfig config = new HikariConfig();
            config.setJdbcUrl(url);
            config.setUsername(server.user());
            config.setPassword(server.password());
            config.setMaximumPoolSize(8);
            HikariDataSource pool = new HikariDataSource(config);
            opened.add(0, pool);
            closing(JdbcClaimStore.migrating(pool));
        }
    }

    private void closing(JdbcClaimStore store) {
        opened.add(0, store);
        process(store);
    }

    private void process(ClaimStore store) {
        FaultyStore faulty = new FaultyStore(store);
        stores.add(faulty);
        OneProcess process = new OneProcess(faulty);
        opened.add(0, process);
        processes.add(process);
    }

    OneProcess first() {
        return processes.get(0);
    }

    OneProcess second() {
        return processes.get(1);
    }

    FaultyStore storeOfFirst() {
        return stores.get(0);
    }

    int waiting() {
        return processes.stream().mapToInt(process -> process.waiting.get()).sum();
    }

    List<WebhookGate> open(String type) {
        return processes.stream().map(process -> process.open(type, handler)).toList();
    }

    @Override
    public void close() throws Exception {
        stores.forEach(FaultyStore::heal);
        for (AutoCloseable one : opened) {
            one.close();
        }
    }
}

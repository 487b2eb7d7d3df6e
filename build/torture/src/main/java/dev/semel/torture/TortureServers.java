// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture;

import dev.semel.testservers.MySqlCluster;
import dev.semel.testservers.RedisServer;
import dev.semel.torture.faults.ClusterStore;
import dev.semel.torture.faults.DynamoStore;
import dev.semel.torture.faults.FaultKind;
import dev.semel.torture.faults.FileStore;
import dev.semel.torture.faults.MemoryStore;
import dev.semel.torture.faults.ServerStore;
import dev.semel.torture.faults.SmallDisk;
import dev.semel.torture.faults.TortureStore;
import dev.semel.torture.faults.WorkerProcess;
import dev.semel.torture.work.CreateTables;
import dev.semel.torture.work.WorkerSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The servers of a run, with their tables. Rounds share them. */
final class TortureServers implements AutoCloseable {
    static final Set<String> STORES = Set.of(
            "sqlite", "postgresql", "mariadb", "mysql", "mysql-cluster", "mysql-primaries", "dynamodb", "memory");

    /** Those that can have their files on a small disk. */
    private static final Set<String> ON_DISK = Set.of("sqlite", "postgresql", "mariadb", "mysql");

    private final TortureStore store;
    private final @Nullable RedisServer redis;

    private TortureServers(TortureStore store, @Nullable RedisServer redis) {
        this.store = store;
        this.redis = redis;
    }

    static TortureServers start(String name, Set<FaultKind> faults, String classPath)
            throws IOException, InterruptedException {
        if (!STORES.contains(name)) {
            throw new IllegalArgumentException("There is no store '%s'; use one of %s".formatted(name, STORES));
        }
        boolean dynamo = name.equals("dynamodb");
        boolean full = faults.contains(FaultKind.DISK_FULL) && ON_DISK.contains(name);
        // DynamoDB Local flushes every write alone. On a disk that others use, that is too slow for leases of 300 ms.
        Optional<SmallDisk> disk = full || dynamo ? SmallDisk.mount() : Optional.empty();
        if (full && disk.isEmpty()) {
            System.out.println("disk-full is left out: this user cannot mount a file system of its own");
        }
        TortureStore store = switch (name) {
            case "postgresql" -> ServerStore.postgres(disk);
            case "mariadb" -> ServerStore.mariaDb(disk);
            case "mysql" -> ServerStore.mySql(disk);
            case "mysql-cluster" -> new ClusterStore(name, MySqlCluster.Mode.ONE_PRIMARY);
            case "mysql-primaries" -> new ClusterStore(name, MySqlCluster.Mode.SEVERAL_PRIMARIES);
            case "sqlite" -> new FileStore(disk);
            case "dynamodb" -> new DynamoStore(disk, faults.contains(FaultKind.CLOCK));
            default -> new MemoryStore();
        };
        try {
            createTables(store, classPath);
            return new TortureServers(store, faults.contains(FaultKind.REDIS) ? RedisServer.start() : null);
        } catch (RuntimeException | IOException | InterruptedException e) {
            store.close();
            throw e;
        }
    }

    private static void createTables(TortureStore store, String classPath) throws IOException, InterruptedException {
        if (store.url(0).isEmpty()) {
            return;
        }
        Path folder = Files.createTempDirectory("semel-torture-tables-");
        Path file = WorkerProcess.privateFile(folder.resolve("tables.properties"));
        WorkerSettings.of(store.url(store.port()), store.user(), store.password())
                .write(file);
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--class-path",
                        classPath,
                        CreateTables.class.getName(),
                        file.toString())
                .inheritIO()
                .start();
        if (process.waitFor() != 0) {
            throw new IllegalStateException("The tables could not be created: see above");
        }
        Round.delete(folder);
    }

    TortureStore store() {
        return store;
    }

    @Nullable
    RedisServer redis() {
        return redis;
    }

    @Override
    public void close() throws IOException {
        if (redis != null) {
            redis.close();
        }
        store.close();
    }
}

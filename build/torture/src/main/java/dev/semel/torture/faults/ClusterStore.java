// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.faults;

import dev.semel.testservers.MySqlCluster;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * MySQL Group Replication with three nodes. The way to it does what a router does: each new connection leads to a node that
 * accepts writes, as far as is known.
 */
public final class ClusterStore implements TortureStore {
    private static final String DATABASE = "torture";

    private static final String OPTIONS = "?connectTimeout=2000&socketTimeout=8000&sessionVariables=wait_timeout=8";

    /** For reading what all nodes have committed. */
    private static final String CONSISTENT = ",group_replication_consistency='BEFORE'";

    private static final Map<String, String> SETTINGS = Map.of(
            "max_connections", "400",
            "max_allowed_packet", "64M",
            "transaction_isolation", "READ-COMMITTED",
            // Effects are stored in a table without a key, where repeated ones show.
            "sql_generate_invisible_primary_key", "ON",
            // The user of the workers creates triggers.
            "log_bin_trust_function_creators", "ON");

    /** On a busy machine a node may not answer for some seconds. */
    private static final Map<String, String> PATIENCE =
            Map.of("member_expel_timeout", "5", "unreachable_majority_timeout", "10");

    private static final Set<FaultKind> OTHERS = EnumSet.of(FaultKind.DISK_FULL);

    private static final int LOOK_MILLIS = 300;

    private final String name;
    private final MySqlCluster cluster;
    private final AtomicInteger next = new AtomicInteger();
    private final Thread looking = new Thread(this::look, "cluster state");
    private volatile List<Integer> writable;

    public ClusterStore(String name, MySqlCluster.Mode mode) {
        this.name = name;
        this.cluster = MySqlCluster.start(mode, SETTINGS, PATIENCE);
        this.writable = cluster.writable();
        int primary = writable.get(0);
        cluster.execute(primary, "CREATE DATABASE " + DATABASE);
        cluster.awaitApplied(primary);
        looking.setDaemon(true);
        looking.start();
    }

    private void look() {
        while (!Thread.currentThread().isInterrupted()) {
            try {
                Thread.sleep(LOOK_MILLIS);
                List<Integer> now = cluster.writable();
                if (!now.isEmpty()) {
                    writable = now;
                }
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String url(int port) {
        return "jdbc:mariadb://127.0.0.1:%d/%s%s".formatted(port, DATABASE, OPTIONS);
    }

    @Override
    public int port() {
        return cluster.port(writable.get(0));
    }

    @Override
    public int port(int worker) {
        List<Integer> known = writable;
        return cluster.port(known.get(Math.floorMod(next.getAndIncrement(), known.size())));
    }

    @Override
    public String user() {
        return cluster.user();
    }

    @Override
    public String password() {
        return cluster.password();
    }

    @Override
    public Connection connect() throws SQLException {
        return DriverManager.getConnection(
                url(port(0)) + CONSISTENT, cluster.node(0).user(), password());
    }

    @Override
    public void limitLockWait(Statement statement) throws SQLException {
        statement.execute("SET SESSION innodb_lock_wait_timeout = 1");
    }

    @Override
    public void endSession(SplittableRandom random) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            List<Long> sessions = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery(
                    "SELECT id FROM information_schema.processlist WHERE user = '%s'".formatted(user()))) {
                while (rows.next()) {
                    sessions.add(rows.getLong(1));
                }
            }
            if (!sessions.isEmpty()) {
                statement.execute("KILL %d".formatted(sessions.get(random.nextInt(sessions.size()))));
            }
        }
    }

    /** Any node: of three, one is the primary, or all are. */
    @Override
    public void crash() throws InterruptedException {
        int node = Math.floorMod(next.getAndIncrement(), MySqlCluster.NODES);
        cluster.kill(node);
        cluster.restart(node);
        cluster.heal();
    }

    @Override
    public void stall(Duration duration) throws InterruptedException {
        int node = Math.floorMod(next.getAndIncrement(), MySqlCluster.NODES);
        cluster.node(node).suspend();
        try {
            Thread.sleep(duration.toMillis());
        } finally {
            cluster.node(node).resume();
            cluster.heal();
        }
    }

    @Override
    public void partition(SplittableRandom random, Duration duration) throws InterruptedException {
        cluster.separate(random.nextInt(MySqlCluster.NODES));
        try {
            Thread.sleep(duration.toMillis());
        } finally {
            cluster.heal();
        }
    }

    @Override
    public boolean can(FaultKind kind) {
        return !kind.isOfService() && !OTHERS.contains(kind);
    }

    @Override
    public void close() throws IOException {
        looking.interrupt();
        cluster.close();
    }
}

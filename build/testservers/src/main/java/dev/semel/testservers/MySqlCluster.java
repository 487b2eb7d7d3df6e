// SPDX-License-Identifier: Apache-2.0
package dev.semel.testservers;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * MySQL Group Replication: three nodes on this machine, of which a test can kill, restart, suspend and separate each. Needs what
 * {@link MySqlServer} needs, the loopback address ::1, and about 1.7 GB of memory.
 *
 * <p>The group removes a node that does not answer after about 5 s: that is the time until it is suspected, which cannot be
 * changed; {@code group_replication_member_expel_timeout} is 0. A node that has lost the majority leaves the group after the
 * setting {@code group_replication_unreachable_majority_timeout}, and refuses clients until it is a member again.
 */
public final class MySqlCluster implements AutoCloseable {
    /** Which nodes accept writes. */
    public enum Mode {
        ONE_PRIMARY,
        SEVERAL_PRIMARIES
    }

    public static final int NODES = 3;

    private static final Map<Mode, MySqlCluster> SHARED = new EnumMap<>(Mode.class);

    private static final Duration JOINING = Duration.ofMinutes(5);

    private static final String USER = "app";

    /** For the cluster's own connections, which never wait for the group. */
    private static final String OPTIONS =
            "?connectTimeout=1000&socketTimeout=280000" + "&sessionVariables=group_replication_consistency='EVENTUAL'";

    private static final String STATE = """
            SELECT member_state, member_role,
                   (SELECT count(*) FROM performance_schema.replication_group_members WHERE member_state = 'ONLINE')
            FROM performance_schema.replication_group_members WHERE member_id = @@server_uuid
            """;

    private final String group = UUID.randomUUID().toString();
    private final String password = RandomPassword.create();
    private final GroupNetwork network = new GroupNetwork();
    private final List<MySqlServer> nodes = new ArrayList<>();
    private final Mode mode;
    private final Map<String, String> replication;

    private MySqlCluster(Mode mode, Map<String, String> replication) {
        this.mode = mode;
        this.replication = replication;
    }

    /** A node's part in the group, as it says itself. */
    private record State(String state, String role, int online) {
        /** The node does not answer. */
        static final State NONE = new State("", "", 0);

        /** The node answers, but does not find itself among the members: it was just started. */
        static final State NEVER_JOINED = new State("OFFLINE", "", 0);

        boolean isInNoGroup() {
            return state.equals("ERROR") || state.equals("OFFLINE");
        }
    }

    /** The cluster that all tests of this JVM share. It is started at first use. Neither kill nor separate its nodes. */
    public static MySqlCluster shared(Mode mode) {
        synchronized (SHARED) {
            return SHARED.computeIfAbsent(mode, absent -> {
                MySqlCluster started = start(mode);
                Runtime.getRuntime().addShutdownHook(new Thread(started::close, "close shared cluster"));
                return started;
            });
        }
    }

    public static MySqlCluster start(Mode mode) {
        return start(mode, Map.of(), Map.of());
    }

    /**
     * Starts a cluster.
     *
     * @param settings system variables of all nodes
     * @param replication global variables that begin with {@code group_replication_}, without that
     */
    public static MySqlCluster start(Mode mode, Map<String, String> settings, Map<String, String> replication) {
        Map<String, String> chosen = new TreeMap<>(Map.of(
                "member_expel_timeout", "0",
                "unreachable_majority_timeout", "3",
                "exit_state_action", "'OFFLINE_MODE'",
                "autorejoin_tries", "0",
                "consistency", mode == Mode.ONE_PRIMARY ? "'BEFORE_ON_PRIMARY_FAILOVER'" : "'BEFORE'"));
        chosen.putAll(replication);
        MySqlCluster cluster = new MySqlCluster(mode, chosen);
        try {
            cluster.begin(settings);
            return cluster;
        } catch (RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    private void begin(Map<String, String> settings) {
        Map<String, String> all = new TreeMap<>(Map.of("innodb_buffer_pool_size", "64M"));
        all.putAll(settings);
        List<CompletableFuture<MySqlServer>> starting = IntStream.range(0, NODES)
                .mapToObj(node -> CompletableFuture.supplyAsync(() -> MySqlServer.member(
                        all,
                        Map.of(
                                "server_id", Integer.toString(node + 1),
                                "plugin_load_add", "group_replication.so",
                                "gtid_mode", "ON",
                                "enforce_gtid_consistency", "ON",
                                "report_host", "127.0.0.1"),
                        password)))
                .toList();
        RuntimeException failure = null;
        for (CompletableFuture<MySqlServer> one : starting) {
            try {
                nodes.add(one.join());
            } catch (RuntimeException e) {
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
        for (int node = 0; node < NODES; node++) {
            network.add(nodes.get(node).port());
            prepare(node);
            join(node, node == 0);
        }
        awaitMembers(NODES);
    }

    /** Creates the users that nodes log in with, before anything is replicated. */
    private void prepare(int node) {
        List<String> statements = new ArrayList<>(List.of("SET sql_log_bin = 0"));
        for (int other = 0; other < NODES; other++) {
            String user = GroupNetwork.user(other);
            statements.add("CREATE USER %s@'127.0.0.1' IDENTIFIED BY '%s'".formatted(user, password));
            statements.add(
                    "GRANT REPLICATION SLAVE, CONNECTION_ADMIN, BACKUP_ADMIN, GROUP_REPLICATION_STREAM ON *.* TO %s@'127.0.0.1'"
                            .formatted(user));
        }
        statements.add("CREATE USER %s@'127.0.0.1' IDENTIFIED BY '%s'".formatted(USER, password));
        statements.add("""
                GRANT SELECT, INSERT, UPDATE, DELETE, CREATE, ALTER, INDEX, DROP, REFERENCES, TRIGGER ON *.* TO %s@'127.0.0.1'""".formatted(USER));
        statements.add("SET sql_log_bin = 1");
        statements.add("RESET MASTER");
        execute(node, statements.toArray(String[]::new));
    }

    private void join(int node, boolean first) {
        List<String> statements = new ArrayList<>();
        statements.add("""
                CHANGE REPLICATION SOURCE TO SOURCE_USER = '%s', SOURCE_PASSWORD = '%s'
                FOR CHANNEL 'group_replication_recovery'""".formatted(GroupNetwork.user(node), password));
        Map<String, String> variables = new TreeMap<>(replication);
        boolean one = mode == Mode.ONE_PRIMARY;
        variables.put("group_name", "'%s'".formatted(group));
        variables.put("communication_stack", "'MYSQL'");
        variables.put("local_address", "'%s'".formatted(GroupNetwork.address(port(node))));
        variables.put(
                "group_seeds",
                nodes.stream()
                        .map(seed -> GroupNetwork.address(seed.port()))
                        .collect(Collectors.joining(",", "'", "'")));
        variables.put("single_primary_mode", one ? "ON" : "OFF");
        variables.put("enforce_update_everywhere_checks", one ? "OFF" : "ON");
        // The second cannot be set while the first has another value.
        statements.add("SET GLOBAL group_replication_enforce_update_everywhere_checks = OFF");
        statements.add("SET GLOBAL group_replication_single_primary_mode = " + variables.remove("single_primary_mode"));
        variables.forEach(
                (name, value) -> statements.add("SET GLOBAL group_replication_%s = %s".formatted(name, value)));
        statements.add("SET GLOBAL group_replication_bootstrap_group = " + (first ? "ON" : "OFF"));
        statements.add("START GROUP_REPLICATION");
        statements.add("SET GLOBAL offline_mode = OFF");
        statements.add("SET GLOBAL group_replication_bootstrap_group = OFF");
        execute(node, statements.toArray(String[]::new));
    }

    public Mode mode() {
        return mode;
    }

    /** The server of a node, counted from 0. */
    public MySqlServer node(int node) {
        return nodes.get(node);
    }

    public int port(int node) {
        return nodes.get(node).port();
    }

    /** A user of all databases, without the privilege to connect to a node in offline mode. */
    public String user() {
        return USER;
    }

    public String password() {
        return password;
    }

    /**
     * The URL of a database on all nodes.
     *
     * @param choice how the driver chooses a node: {@code sequential} or {@code loadbalance}
     */
    public String url(String choice, String database) {
        return nodes.stream()
                .map(node -> "127.0.0.1:" + node.port())
                .collect(Collectors.joining(",", "jdbc:mariadb:%s://".formatted(choice), "/" + database));
    }

    /** The nodes that are members and accept writes, as they say themselves. A node that is suspended is none. */
    public List<Integer> writable() {
        List<Integer> found = new ArrayList<>();
        for (int node = 0; node < NODES; node++) {
            State state = state(node);
            if (state.state().equals("ONLINE") && state.role().equals("PRIMARY") && state.online() > NODES / 2) {
                found.add(node);
            }
        }
        return found;
    }

    /** The only primary; empty during a change of the primary. */
    public OptionalInt primary() {
        List<Integer> found = writable();
        return found.size() == 1 ? OptionalInt.of(found.get(0)) : OptionalInt.empty();
    }

    /** Waits until a node other than this one is the primary. */
    public int awaitOtherPrimary(int former) {
        int[] found = {former};
        await("no other primary", () -> {
            OptionalInt now = primary();
            found[0] = now.orElse(former);
            return now.isPresent() && now.getAsInt() != former;
        });
        return found[0];
    }

    /** Waits until so many nodes are members, as each of them says. */
    public void awaitMembers(int count) {
        await(
                count + " members",
                () -> IntStream.range(0, NODES)
                                .filter(node -> sees(node, count))
                                .count()
                        == count);
    }

    /** Waits until these nodes are the only members, as each of them says. */
    public void awaitOnlyMembers(int... members) {
        await(members.length + " members", () -> IntStream.of(members).allMatch(node -> sees(node, members.length)));
    }

    private boolean sees(int node, int online) {
        State state = state(node);
        return state.state().equals("ONLINE") && state.online() == online;
    }

    /** Waits until all members have applied what this one has. */
    public void awaitApplied(int from) {
        String executed = ask(from, "SELECT @@global.gtid_executed");
        for (int node = 0; node < NODES; node++) {
            int other = node;
            if (state(node).state().equals("ONLINE")) {
                await(
                        "node %d has not applied %s".formatted(node, executed),
                        () -> ask(other, "SELECT GTID_SUBSET('%s', @@global.gtid_executed)".formatted(executed))
                                .equals("1"));
            }
        }
    }

    /** Kills a node with SIGKILL. */
    public void kill(int node) {
        nodes.get(node).kill();
    }

    /** Starts a killed node again, and waits until it is a member. */
    public void restart(int node) {
        nodes.get(node).restart();
        await("node %d is a member".formatted(node), () -> joinedAgain(node));
    }

    /** Makes another node the only primary, while the former one goes on and keeps its clients. */
    public void switchTo(int node) {
        execute(node, "SELECT group_replication_set_as_primary('%s')".formatted(ask(node, "SELECT @@server_uuid")));
    }

    /** Separates a node from the others. Its clients still reach it. */
    public void separate(int node) {
        network.separate(node);
    }

    /** Ends the separation, lets the nodes that have left the group join again, and waits until all are members. */
    public void heal() {
        network.join();
        await(NODES + " members", () -> {
            beginAgainIfEnded();
            for (int node = 0; node < NODES; node++) {
                if (!joinedAgain(node)) {
                    return false;
                }
            }
            return IntStream.range(0, NODES).allMatch(node -> sees(node, NODES));
        });
    }

    /** If all nodes have left the group, the one that has executed what any of them has begins it again. */
    private void beginAgainIfEnded() {
        if (!IntStream.range(0, NODES).allMatch(node -> state(node).isInNoGroup())) {
            return;
        }
        List<String> executed = IntStream.range(0, NODES)
                .mapToObj(node -> ask(node, "SELECT @@global.gtid_executed"))
                .toList();
        for (int node = 0; node < NODES; node++) {
            String own = executed.get(node);
            int asked = node;
            if (executed.stream()
                    .allMatch(other -> ask(asked, "SELECT GTID_SUBSET('%s', '%s')".formatted(other, own))
                            .equals("1"))) {
                leave(node, state(node));
                join(node, true);
                return;
            }
        }
        throw new IllegalStateException("Each node has executed what others have not: " + executed);
    }

    /** A node that was just started has nothing to leave. */
    private void leave(int node, State state) {
        if (state.state().equals("ERROR")) {
            execute(node, "STOP GROUP_REPLICATION");
        }
    }

    /** Lets a node join that is in no group. Returns whether it is a member. */
    private boolean joinedAgain(int node) {
        State state = state(node);
        if (state.isInNoGroup()) {
            try {
                leave(node, state);
                join(node, false);
            } catch (IllegalStateException e) {
                // For example because the others have just removed it. It is tried again.
                return false;
            }
        }
        return state.state().equals("ONLINE");
    }

    private State state(int node) {
        try (Connection connection = connect(node);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(STATE)) {
            return row.next() ? new State(row.getString(1), row.getString(2), row.getInt(3)) : State.NEVER_JOINED;
        } catch (SQLException down) {
            return State.NONE;
        }
    }

    /** The first column of the first row, on this node. */
    public String ask(int node, String query) {
        try (Connection connection = connect(node);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            return rows.next() ? String.valueOf(rows.getString(1)) : "nothing";
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Runs statements on this node, in one session. */
    public void execute(int node, String... statements) {
        try (Connection connection = connect(node);
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        } catch (SQLException e) {
            throw new IllegalStateException("Node %d: %s".formatted(node, e.getMessage()), e);
        }
    }

    private Connection connect(int node) throws SQLException {
        MySqlServer server = nodes.get(node);
        return DriverManager.getConnection(server.jdbcUrl() + OPTIONS, server.user(), password);
    }

    private static void await(String what, BooleanSupplier condition) {
        if (!Await.until(JOINING, condition)) {
            throw new IllegalStateException("Within %s: %s".formatted(JOINING, what));
        }
    }

    @Override
    public void close() {
        nodes.forEach(MySqlServer::close);
        network.close();
    }
}

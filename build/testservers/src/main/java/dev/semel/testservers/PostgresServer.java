// SPDX-License-Identifier: Apache-2.0
package dev.semel.testservers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * PostgreSQL with durable commits.
 *
 * <p>The binaries are zonky's. Their launcher is not used, because it switches durability off and starts the server through
 * {@code pg_ctl}. Such a server is not our child and keeps running when the JVM is killed.
 */
public final class PostgresServer extends DatabaseServer {

    private static final SharedServer<PostgresServer> SHARED = new SharedServer<>(PostgresServer::start);

    /** Without fsync, which is on by default and checked at the start: tests could not change what the command line sets. */
    private static final Map<String, String> DEFAULTS = Map.of(
            "synchronous_commit", "on",
            "max_connections", "200",
            // The default is /dev/shm, where files stay after a kill and containers have little room.
            "dynamic_shared_memory_type", "mmap");

    private static final Set<String> FIXED = Set.of("port", "listen_addresses", "unix_socket_directories");

    private static final Duration STANDBY_LIMIT = Duration.ofSeconds(30);
    private static final String DATABASE = "postgres";
    private static final Map<String, String> TIMEOUTS = Map.of("connectTimeout", "5", "socketTimeout", "60");

    private final ServerProcess process;

    private PostgresServer(ScratchFolder folder, Path programs, NamedSettings settings) {
        super(folder, "postgresql", DATABASE, TIMEOUTS);
        List<String> prefix = Unprivileged.prefix(programs.resolve("postgres"), folder.path());
        initialize(prefix, programs);
        this.process = process(folder, command(prefix, programs, settings));
    }

    /** A standby of this primary. */
    private PostgresServer(ScratchFolder folder, Path programs, PostgresServer primary) {
        super(folder, "postgresql", DATABASE, TIMEOUTS, primary.password());
        List<String> prefix = Unprivileged.prefix(programs.resolve("postgres"), folder.path());
        try (Connection connection = primary.access.connect(DATABASE)) {
            PostgresCopy.standbyOf(connection, primary.data, data);
        } catch (SQLException e) {
            throw new IllegalStateException("The primary cannot be copied", e);
        }
        Map<String, String> replication = Map.of(
                "primary_conninfo",
                "host=127.0.0.1 port=%d user=%s password=%s application_name=standby"
                        .formatted(primary.port, USER, primary.password()));
        this.process = process(folder, command(prefix, programs, NamedSettings.of(DEFAULTS, replication, FIXED)));
    }

    private ServerProcess process(ScratchFolder folder, List<String> command) {
        return new ServerProcess(
                "PostgreSQL",
                command,
                // The "fast" shutdown. SIGTERM would wait until the last client disconnects.
                "INT",
                // The "immediate" shutdown: the data is deleted, so it need not be written to disk.
                "QUIT",
                folder,
                this::ping);
    }

    /** The server that all tests of this JVM share. It is started at first use. Do not close or kill it. */
    public static PostgresServer shared() {
        return SHARED.get();
    }

    public static PostgresServer start() {
        return start(Map.of());
    }

    /** Starts a server with these settings of {@code postgresql.conf}, which override the defaults. */
    public static PostgresServer start(Map<String, String> settings) {
        return startIn(ScratchFolder.temporary(), settings);
    }

    /** As {@link #start(Map)}, with its files in a new folder inside of this one. */
    public static PostgresServer startIn(Path parent, Map<String, String> settings) {
        NamedSettings all = NamedSettings.of(DEFAULTS, settings, FIXED);
        Path programs = programs();
        return begun(parent, folder -> new PostgresServer(folder, programs, all));
    }

    /** Starts a standby that receives every change of this server, with the same user and password. Close it too. */
    public PostgresServer startStandby() {
        Path programs = programs();
        return begun(ScratchFolder.temporary(), folder -> new PostgresServer(folder, programs, this));
    }

    /** Makes every commit wait until the standby has it on disk too. */
    public void waitForStandby() {
        query("ALTER SYSTEM SET synchronous_standby_names = 'standby'");
        query("SELECT pg_reload_conf()");
        if (!Await.until(
                STANDBY_LIMIT, () -> "sync".equals(query("SELECT max(sync_state) FROM pg_stat_replication")))) {
            throw new IllegalStateException("No standby receives the changes of this server");
        }
    }

    /** Lets commits return before the standby has them: an asynchronous standby, the default. */
    public void stopWaitingForStandby() {
        query("ALTER SYSTEM RESET synchronous_standby_names");
        query("SELECT pg_reload_conf()");
    }

    /** Makes a standby the primary. The earlier primary must not run any more. */
    public void promote() {
        if (!"t".equals(query("SELECT pg_promote(true, 60)"))) {
            throw new IllegalStateException("The standby was not promoted: " + LogTail.of(folder.log()));
        }
    }

    private String query(String sql) {
        try (Connection connection = access.connect(DATABASE);
                Statement statement = connection.createStatement()) {
            if (!statement.execute(sql)) {
                return "";
            }
            try (ResultSet rows = statement.getResultSet()) {
                return rows.next() ? String.valueOf(rows.getString(1)) : "";
            }
        } catch (SQLException e) {
            throw new IllegalStateException("No answer from " + jdbcUrl(), e);
        }
    }

    private static Path programs() {
        String archive = "postgres-%s.txz".formatted(Platform.current().zonkyName());
        return BinariesCache.ofThisUser().unpacked(new TarXzBinaries(archive)).resolve("bin");
    }

    private static PostgresServer begun(Path parent, Function<ScratchFolder, PostgresServer> make) {
        ScratchFolder folder = ScratchFolder.in(parent, "semel-postgres-");
        try {
            PostgresServer server = make.apply(folder);
            server.begin();
            return server;
        } catch (RuntimeException e) {
            throw folder.closeAfter(e);
        }
    }

    private void initialize(List<String> prefix, Path programs) {
        try {
            Path passwordFile = folder.path().resolve("password");
            Files.writeString(passwordFile, access.password());
            // Readable for the user of initdb. The folder around it is closed to other users.
            Files.setPosixFilePermissions(passwordFile, PosixFilePermissions.fromString("rw-r--r--"));
            List<String> command = new ArrayList<>(prefix);
            command.addAll(List.of(
                    programs.resolve("initdb").toString(),
                    "--pgdata=" + data,
                    "--username=" + USER,
                    "--pwfile=" + passwordFile,
                    // Not SCRAM: its thousands of rounds cost more than a test's queries. They protect weak passwords
                    // and traffic on open networks, and there are none here.
                    "--auth=password",
                    "--set=scram_iterations=1",
                    "--encoding=UTF8",
                    "--locale=C",
                    // Safe: the files survive killed processes, and nothing needs them after the machine stops.
                    "--no-sync"));
            Programs.run("initdb", command, folder, ChildProcess.NO_INPUT);
            Files.delete(passwordFile);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<String> command(List<String> prefix, Path programs, NamedSettings settings) {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(List.of(programs.resolve("postgres").toString(), "-D", data.toString()));
        settings.values().forEach((name, value) -> command.addAll(List.of("-c", name + "=" + value)));
        command.addAll(List.of("-c", "port=" + port));
        command.addAll(List.of("-c", "listen_addresses=127.0.0.1"));
        command.addAll(List.of("-c", "unix_socket_directories="));
        return command;
    }

    @Override
    ServerProcess process() {
        return process;
    }

    @Override
    String durabilityQuery() {
        return """
                SELECT concat('fsync=', current_setting('fsync'),
                              ' synchronous_commit=', current_setting('synchronous_commit'))
                """;
    }

    @Override
    String durable() {
        return "fsync=on synchronous_commit=on";
    }
}

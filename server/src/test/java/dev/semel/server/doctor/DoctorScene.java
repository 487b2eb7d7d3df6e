// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.server.CommandRun;
import dev.semel.server.config.Setting;
import dev.semel.server.config.SettingsReader;
import dev.semel.testservers.DatabaseServer;
import dev.semel.testservers.MariaDbServer;
import dev.semel.testservers.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.io.TempDir;

/** A doctor, and the database and settings that it looks at. */
abstract class DoctorScene {
    static final AtomicInteger COUNT = new AtomicInteger();

    /** Databases that were migrated once, because that takes long. Each test leaves them as they were. */
    private static final Map<Kind, String> MIGRATED = new EnumMap<>(Kind.class);

    static final String SECRET = "secret: 0123456789abcdef0123456789abcdef\n";

    @TempDir
    Path folder;

    String url = "";
    String user = "nobody";
    String password = "nothing";
    String more = SECRET;
    String pool = "";
    Clock clock = Clock.systemUTC();

    enum Kind {
        POSTGRESQL,
        MARIADB,
        SQLITE
    }

    /** Runs the statements of a fix, without what it says before and after them. */
    void apply(String fix) throws SQLException {
        execute(fix.replaceFirst(" Add it to .*", "")
                .replaceFirst("^Remove duplicate rows, if any, then run: ", "")
                .replaceFirst("^If there are standbys: ", ""));
    }

    /** PostgreSQL reloads its settings a moment after it was asked to. */
    void await(String check, boolean found) {
        Awaitility.await()
                .until(() -> findings().stream().anyMatch(one -> one.check().equals(check)) == found);
    }

    void on(Kind kind) {
        if (kind == Kind.SQLITE) {
            url = "jdbc:sqlite:" + folder.resolve("doctor.db");
            return;
        }
        on(kind == Kind.POSTGRESQL ? PostgresServer.shared() : MariaDbServer.shared());
    }

    void on(DatabaseServer server) {
        url = server.createDatabase("doctor_" + COUNT.incrementAndGet());
        user = server.user();
        password = server.password();
    }

    void onMigrated(Kind kind) throws IOException {
        String known = MIGRATED.get(kind);
        on(kind);
        if (known == null || kind == Kind.SQLITE) {
            migrate();
            MIGRATED.put(kind, url);
        } else {
            url = known;
        }
    }

    String name() {
        return url.replaceFirst(".*/", "").replaceFirst("\\?.*", "");
    }

    void migrate() throws IOException {
        CommandRun migrated = CommandRun.of("migrate", "--config", config().toString());
        assertThat(migrated.exit()).as(migrated.err()).isZero();
    }

    void execute(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url, user, password);
                Statement statement = connection.createStatement()) {
            // ALTER SYSTEM may not be in a transaction, and a string of statements is one.
            for (String one : sql.split(";(?=\\s|$)", -1)) {
                if (!one.isBlank()) {
                    statement.execute(one);
                }
            }
        }
    }

    Path config() throws IOException {
        return Files.writeString(folder.resolve("semel.yml"), yaml());
    }

    String yaml() {
        return """
                server: {data_dir: "%s"}
                database:
                  url: "%s"
                  user: "%s"
                  password: "%s"
                %s%s""".formatted(folder.resolve("data"), url, user, password, pool, more);
    }

    List<Finding> findings() {
        try {
            Path file = Files.writeString(folder.resolve("findings.yml"), yaml());
            Map<Setting, String> none = Map.of();
            return new ArrayList<>(
                    new Doctor(SettingsReader.readForTools(none, Optional.of(file), Map.of()), clock).findings());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    Finding finding(String check) {
        return findings().stream()
                .filter(one -> one.check().equals(check))
                .findFirst()
                .orElseThrow(() -> new AssertionError(check + " was not found"));
    }
}

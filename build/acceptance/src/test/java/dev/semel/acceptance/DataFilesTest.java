// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Permissions of the data folder, and secrets in the database's URL. Servers here run with umask 0. */
@BlackBox
class DataFilesTest {
    private static final String PRIVATE = "rw-------";
    private static final String PASSWORD = Marks.text("password");

    @TempDir
    Path folder;

    @Test
    void filesInAnExistingFolderAreReadableByTheirOwnerOnly() throws IOException {
        Path data = directory("rwxr-xr-x");
        try (SemelProcess server = SemelProcess.start(Launch.in(data))) {
            assertThat(modes(data))
                    .containsOnly(
                            Map.entry("secret", PRIVATE),
                            Map.entry("semel.db", PRIVATE),
                            Map.entry("semel.db-wal", PRIVATE),
                            Map.entry("semel.db-shm", PRIVATE));
            assertThat(server.output()).contains("Other users", "chmod 700");
        }
    }

    @Test
    void filesThatWereOpenAreTightened() throws IOException {
        Path data = directory("rwx------");
        try (SemelProcess server = SemelProcess.start(Launch.in(data))) {
            // Killed, so that the write-ahead log and its index stay.
            server.kill();
            assertThat(modes(data)).hasSize(4);
            for (String name : modes(data).keySet()) {
                Files.setPosixFilePermissions(data.resolve(name), PosixFilePermissions.fromString("rw-rw-rw-"));
            }
            server.start();
            assertThat(modes(data).values()).containsOnly(PRIVATE).hasSize(4);
            assertThat(server.output()).doesNotContain("Other users");
        }
    }

    @Test
    void aNewDataFolderIsReadableByItsOwnerOnly() {
        Path data = folder.resolve("made/data");
        SemelProcess.start(Launch.in(data)).close();
        assertThat(mode(data)).isEqualTo("rwx------");
        assertThat(mode(data.getParent())).isEqualTo("rwx------");
    }

    @Test
    void aDatabaseInAnotherFolderIsReadableByItsOwnerOnly() throws IOException {
        Path data = directory("rwx------");
        Path other = Files.createDirectory(folder.resolve("other files"));
        String key = Marks.text("key");
        String url = "jdbc:sqlite:file:%s/a%%20b.db?key=%s"
                .formatted(other.toString().replace(" ", "%20"), key);
        try (SemelProcess server = SemelProcess.start(Launch.in(data).with("--database-url", url))) {
            assertThat(modes(other).keySet()).containsExactlyInAnyOrder("a b.db", "a b.db-wal", "a b.db-shm");
            assertThat(modes(other).values()).containsOnly(PRIVATE);
            assertThat(server.output()).contains("a b.db").doesNotContain(key, "key=");
        }
        SemelProcess.Ended printed =
                SemelProcess.run(Launch.in(data).with("--database-url", url), "serve", "--print-config");
        assertThat(printed.exitCode()).as(printed.output()).isZero();
        assertThat(printed.output()).contains("a%20b.db").doesNotContain(key, "key=");
    }

    /** An error in a URL is reported without its secrets and without a stack trace. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql://u:@AT127.0.0.1:1/semel",
                "jdbc:postgresql://u:a/@AT127.0.0.1:1/semel",
                "jdbc:postgresql://u:a?@AT127.0.0.1:1/semel",
                "jdbc:postgresql://127.0.0.1:99999/semel?password=@",
                "jdbc:mariadb://u:@AT127.0.0.1:1/semel",
                "jdbc:sqlite:file:/proc/none/semel.db?key=@",
                "jdbc:sqlite:/proc/none/semel.db?password=@",
                "jdbc:sqlite:/proc?key=@",
                "jdbc:sqlite:file:/proc?key=@",
                "jdbc:sqlite:file:data%zz.db?key=@",
                "jdbc:sqlite::resource:@"
            })
    void aWrongUrlShowsNoSecret(String form) {
        showsNoSecret(attempt(form));
    }

    /** The server tries each of these for five seconds before it gives up, so they are tried at the same time. */
    @Test
    void theUrlOfAnUnreachableDatabaseShowsNoSecret() {
        List<String> forms = List.of(
                "jdbc:postgresql://127.0.0.1:1/semel?user=u&password=@",
                "jdbc:postgresql://127.0.0.1:1/semel?user=u&socketTimeout=@",
                "jdbc:postgresql://127.0.0.1:1/semel?user=u&sslmode=@",
                "jdbc:mariadb://127.0.0.1:1/semel?user=u&password=@",
                "jdbc:mariadb://127.0.0.1:1/semel?socketTimeout=@",
                "jdbc:mariadb://address=(host=127.0.0.1)(port=1)(password=@)/semel",
                "jdbc:mysql://127.0.0.1:1/semel?user=u&password=@");
        List<SemelProcess.Ended> attempts = Crowd.of(forms.size(), i -> attempt(forms.get(i)));
        attempts.forEach(DataFilesTest::showsNoSecret);
    }

    private SemelProcess.Ended attempt(String form) {
        String url = form.replace("@AT", "\u0001").replace("@", PASSWORD).replace("\u0001", PASSWORD + "@");
        return SemelProcess.refused(Launch.in(directory("rwx------")).with("--database-url", url));
    }

    private static void showsNoSecret(SemelProcess.Ended ended) {
        assertThat(ended.exitCode()).as(ended.output()).isNotZero();
        assertThat(ended.output())
                .doesNotContain(PASSWORD, PASSWORD.substring(10))
                .doesNotContain("\tat ")
                .containsAnyOf("database", "--database-url");
    }

    @Test
    void printedSettingsShowNoSecretOfAUrl() throws IOException {
        String secret = Marks.text("password");
        for (String url : List.of(
                "jdbc:postgresql://127.0.0.1:5432/semel?user=u&password=" + secret,
                "jdbc:mariadb://a:3306,[::1]:3307/semel?trustStorePassword=" + secret,
                "jdbc:mariadb://address=(host=127.0.0.1)(password=%s)/semel".formatted(secret),
                "jdbc:sqlite:file:x.db?hexkey=" + secret)) {
            SemelProcess.Ended ended =
                    SemelProcess.run(Launch.in(folder).with("--database-url", url), "serve", "--print-config");
            assertThat(ended.exitCode()).as(ended.output()).isZero();
            assertThat(ended.output()).contains("url: jdbc:").doesNotContain(secret);
        }
    }

    private Path directory(String mode) {
        try {
            Path data = Files.createTempDirectory(folder, "data");
            return Files.setPosixFilePermissions(data, PosixFilePermissions.fromString(mode));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<String, String> modes(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            Map<String, String> modes = new TreeMap<>();
            files.forEach(file -> modes.put(file.getFileName().toString(), mode(file)));
            return modes;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String mode(Path file) {
        try {
            return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

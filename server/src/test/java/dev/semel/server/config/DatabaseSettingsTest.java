// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DatabaseSettingsTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            jdbc:postgresql://127.0.0.1:5432/semel                         | jdbc:postgresql://127.0.0.1:5432/semel
            jdbc:postgresql://127.0.0.1/semel?user=u&password=secret       | jdbc:postgresql://127.0.0.1/semel
            jdbc:postgresql://a,b:1,[::1]:2/semel?password=se@cret/x       | jdbc:postgresql://a,b:1,[::1]:2/semel
            jdbc:postgresql:semel?password=secret                          | jdbc:postgresql:semel
            jdbc:postgresql:///semel?password=secret                       | jdbc:postgresql:///semel
            jdbc:mariadb:replication://a,b/semel?password=secret           | jdbc:mariadb:replication://a,b/semel
            jdbc:mariadb://a?password=secret                               | jdbc:mariadb://a
            jdbc:mysql://a/semel;password=secret                           | jdbc:mysql://a/semel
            jdbc:mariadb://address=(host=a)(password=secret)/semel         | jdbc:mariadb:<hidden>
            jdbc:sqlite:data/semel.db                                      | jdbc:sqlite:data/semel.db
            jdbc:sqlite:file:data/semel.db?key=secret                      | jdbc:sqlite:file:data/semel.db
            jdbc:sqlite:file:data/semel.db#secret                          | jdbc:sqlite:file:data/semel.db
            """)
    void optionsAreNotShown(String url, String shown) {
        assertThat(settings(url).shownUrl()).isEqualTo(shown);
        assertThat(settings(url).toString()).contains(shown).doesNotContain("secret");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql://u:secret@a/semel",
                "jdbc:postgresql://secret@a/semel",
                "jdbc:postgresql://u:x/secret@a/semel",
                "jdbc:postgresql://u:x?secret@a/semel",
                "jdbc:postgresql:u:secret@a",
                "jdbc:mariadb://u:secret@a/semel",
                "jdbc:mariadb://a:secret/semel",
                "jdbc:mysql://u:secret@a/semel",
                "jdbc:sqlite:data/semel.db?key=secret",
                "jdbc:sqlite::resource:secret",
                "jdbc:sqlite:file:",
                "jdbc:sqlite:file:secret%zz.db"
            })
    void rejectsUrlsThatMayContainAPassword(String url) {
        assertThatThrownBy(() -> settings(url))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("--database-url")
                .hasMessageNotContaining("secret");
    }

    @ParameterizedTest
    @CsvSource({
        "jdbc:sqlite:data/semel.db, data/semel.db",
        "jdbc:sqlite:/tmp/a%20b.db, /tmp/a%20b.db",
        "jdbc:sqlite:file:/tmp/a%20b+c.db?x=y, /tmp/a b+c.db",
        "jdbc:sqlite:file:///tmp/a.db, /tmp/a.db",
        "jdbc:sqlite:file://localhost/tmp/a.db, /tmp/a.db",
        "jdbc:sqlite:file:a.db#x, a.db"
    })
    void returnsTheFileOfSqlite(String url, String file) {
        assertThat(settings(url).file()).hasToString("Optional[" + file + "]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdbc:sqlite::memory:", "jdbc:sqlite:file::memory:?cache=shared", "jdbc:postgresql:semel"})
    void otherUrlsHaveNoFile(String url) {
        assertThat(settings(url).file()).isEmpty();
    }

    private static DatabaseSettings settings(String url) {
        return new DatabaseSettings(url, Optional.empty(), Optional.empty(), Optional.empty(), 2);
    }
}

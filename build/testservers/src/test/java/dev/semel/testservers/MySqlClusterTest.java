// SPDX-License-Identifier: Apache-2.0
package dev.semel.testservers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("cluster")
class MySqlClusterTest {
    private static final String TABLE = "CREATE TABLE semel.t (id INT PRIMARY KEY)";
    private static final String COUNT = "SELECT count(*) FROM semel.t";

    @Test
    void onePrimaryIsReplacedWhenItIsKilledAndJoinsAgain() {
        try (MySqlCluster cluster = MySqlCluster.start(MySqlCluster.Mode.ONE_PRIMARY)) {
            int first = cluster.primary().orElseThrow();
            cluster.execute(first, TABLE, "INSERT INTO semel.t VALUES (1)");
            assertThatThrownBy(() -> cluster.execute((first + 1) % 3, "INSERT INTO semel.t VALUES (2)"))
                    .hasMessageContaining("super-read-only");

            cluster.kill(first);
            int second = cluster.awaitOtherPrimary(first);
            cluster.execute(second, "INSERT INTO semel.t VALUES (2)");
            cluster.restart(first);

            cluster.awaitMembers(3);
            cluster.awaitApplied(second);
            assertThat(cluster.primary()).hasValue(second);
            assertThat(cluster.ask(first, COUNT)).isEqualTo("2");
        }
    }

    @Test
    void aSeparatedPrimaryConfirmsNothingAndJoinsAgain() throws Exception {
        try (MySqlCluster cluster = MySqlCluster.start(MySqlCluster.Mode.ONE_PRIMARY)) {
            int first = cluster.primary().orElseThrow();
            cluster.execute(first, TABLE);

            cluster.separate(first);
            CompletableFuture<Boolean> confirmed = CompletableFuture.supplyAsync(() -> inserted(cluster, first, 1));
            int second = cluster.awaitOtherPrimary(first);
            cluster.execute(second, "INSERT INTO semel.t VALUES (2)");
            assertThat(confirmed.get()).isFalse();
            // Soon after that.
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThatThrownBy(
                                    () -> client(cluster, first).close())
                            .hasMessageContaining("offline mode"));
            cluster.heal();

            cluster.awaitApplied(second);
            assertThat(cluster.primary()).hasValue(second);
            for (int node = 0; node < MySqlCluster.NODES; node++) {
                assertThat(cluster.ask(node, "SELECT group_concat(id) FROM semel.t"))
                        .isEqualTo("2");
            }
        }
    }

    @Test
    void severalPrimariesAgreeOnOneRow() {
        try (MySqlCluster cluster = MySqlCluster.start(MySqlCluster.Mode.SEVERAL_PRIMARIES)) {
            assertThat(cluster.writable()).containsExactly(0, 1, 2);
            cluster.execute(0, TABLE);
            cluster.awaitApplied(0);

            for (int id = 0; id < 20; id++) {
                int row = id;
                CompletableFuture<Boolean> one = CompletableFuture.supplyAsync(() -> inserted(cluster, 0, row));
                CompletableFuture<Boolean> other = CompletableFuture.supplyAsync(() -> inserted(cluster, 1, row));
                assertThat(one.join()).as("row %d", row).isNotEqualTo(other.join());
            }

            cluster.separate(2);
            cluster.awaitOnlyMembers(0, 1);
            cluster.execute(0, "INSERT INTO semel.t VALUES (100)");
            cluster.heal();
            cluster.awaitApplied(0);
            assertThat(cluster.ask(2, COUNT)).isEqualTo("21");
        }
    }

    private static boolean inserted(MySqlCluster cluster, int node, int id) {
        try (Connection connection = client(cluster, node);
                Statement statement = connection.createStatement()) {
            statement.execute("INSERT INTO semel.t VALUES (%d)".formatted(id));
            return true;
        } catch (SQLException e) {
            return false;
        }
    }

    private static Connection client(MySqlCluster cluster, int node) throws SQLException {
        return DriverManager.getConnection(cluster.node(node).jdbcUrl(), cluster.user(), cluster.password());
    }
}

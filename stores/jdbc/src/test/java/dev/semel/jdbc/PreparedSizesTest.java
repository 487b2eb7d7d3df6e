// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.testservers.MariaDbServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

class PreparedSizesTest {
    @Test
    void thereAreFewSizesAndNoneIsTooSmall() {
        assertThat(IntStream.rangeClosed(1, 256).map(PreparedSizes::padded).distinct())
                .containsExactly(
                        1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 28, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160,
                        192, 224, 256);
        assertThat(IntStream.rangeClosed(1, 256)).allMatch(rows -> PreparedSizes.padded(rows) >= rows);
    }

    @Test
    void theLastRowFillsThePlacesThatAreLeft() {
        assertThat(PreparedSizes.filled(List.of("a", "b", "c"), 5)).containsExactly("a", "b", "c", "c", "c");
        assertThat(PreparedSizes.filled(List.of("a"), 1)).containsExactly("a");
    }

    @Test
    void onlyAConnectionThatPreparesOnTheServerFillsStatements() throws Exception {
        try (ClaimDatabase database = ClaimDatabase.mariadb(MariaDbServer.shared())) {
            assertThat(places(database.pool(1))).isEqualTo(9);
            assertThat(places(database.preparedPool(1))).isEqualTo(10);
        }
    }

    private static int places(DataSource pool) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            return PreparedSizes.of(connection, 9);
        }
    }
}

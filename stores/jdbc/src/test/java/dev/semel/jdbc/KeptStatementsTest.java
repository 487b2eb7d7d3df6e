// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.claim.Status;
import dev.semel.spi.Command;
import dev.semel.spi.Verdict;
import dev.semel.testkit.Commands;
import dev.semel.testservers.MariaDbServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** MariaDB's driver keeps prepared statements of less than 8,192 characters. A longer one is prepared for every batch. */
class KeptStatementsTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 32, 64, 256})
    void aBatchOfASizeThatWasSentBeforePreparesNothing(int rows) throws Exception {
        try (ClaimDatabase database = ClaimDatabase.mariadb(MariaDbServer.shared())) {
            DataSource pool = database.preparedPool(1);
            JdbcClaimStore store = JdbcClaimStore.migrating(pool);
            claimAndSettle(store, rows, "first");
            long prepared = prepared(pool);

            claimAndSettle(store, rows, "second");

            assertThat(prepared(pool)).isEqualTo(prepared).isPositive();
        }
    }

    private static void claimAndSettle(JdbcClaimStore store, int rows, String tenant) {
        List<Command.Insert> inserts = IntStream.range(0, rows)
                .mapToObj(i -> Commands.insert(CrossingLanes.ref(tenant, i)))
                .toList();
        List<Verdict> granted = store.apply(inserts);
        assertThat(granted).allMatch(Verdict.Applied.class::isInstance);
        assertThat(store.apply(IntStream.range(0, rows)
                        .mapToObj(i -> new Command.Settle(
                                inserts.get(i).ref(),
                                inserts.get(i).token(),
                                Status.SUCCEEDED,
                                Commands.text("result " + i),
                                null,
                                (Verdict.Applied) granted.get(i)))
                        .toList()))
                .allMatch(Verdict.Applied.class::isInstance);
    }

    private static long prepared(DataSource pool) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SHOW SESSION STATUS LIKE 'Com_stmt_prepare'")) {
            row.next();
            return row.getLong(2);
        }
    }
}

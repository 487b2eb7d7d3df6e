// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Digest;
import dev.semel.claim.Fingerprint;
import dev.semel.spi.Command;
import dev.semel.spi.Verdict;
import dev.semel.testkit.Commands;
import dev.semel.testservers.DatabaseKind;
import dev.semel.testservers.EachDatabase;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.params.ParameterizedTest;

/** MariaDB accepts 16 MiB in one statement by default, as MySQL does here, and both close the connection of a larger one. */
class LargeStatementTest {
    private static final int MANY = 2_100;

    @ParameterizedTest
    @EachDatabase(except = {DatabaseKind.POSTGRESQL, DatabaseKind.SQLITE})
    void aBatchWithManyLargeSketchesGoesInSeveralStatements(DatabaseKind kind) throws Exception {
        byte[] sketch = new byte[Fingerprint.MAX_SKETCH];
        // Each quote needs two bytes in a statement.
        Arrays.fill(sketch, (byte) '\'');
        List<Command> inserts = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            inserts.add(Commands.sketched(Commands.insert(ref(i)), sketch));
        }
        try (ClaimDatabase database = ClaimDatabase.on(kind.sharedServer())) {
            DataSource one = database.pool(1);
            JdbcClaimStore store = database.closing(JdbcClaimStore.migrating(one));
            long connection = connectionId(one);

            assertThat(store.apply(inserts)).hasSize(MANY).allMatch(Verdict.Applied.class::isInstance);

            assertThat(connectionId(one)).as("the connection").isEqualTo(connection);
            ClaimRef last = ref(MANY - 1);
            assertThat(store.read(List.of(last)).get(last).fingerprint().sketch())
                    .isEqualTo(sketch);
        }
    }

    private static long connectionId(DataSource pool) throws Exception {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT CONNECTION_ID()")) {
            row.next();
            return row.getLong(1);
        }
    }

    private static ClaimRef ref(int number) {
        return new ClaimRef(
                "acme",
                new Digest(ByteBuffer.allocate(Digest.LENGTH).putInt(number).array()));
    }
}

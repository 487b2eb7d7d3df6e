// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Digest;
import dev.semel.spi.Command;
import dev.semel.spi.Verdict;
import dev.semel.testkit.Commands;
import dev.semel.testservers.MariaDbServer;
import java.sql.Connection;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Inserts without RETURNING, as MySQL needs them. MariaDB accepts them too. */
class MySqlInsertsTest {
    private static final Duration BOUND = Duration.ofSeconds(5);

    @Test
    void insertedAndExistingRowsAreReadBack() throws Exception {
        Command.Insert first = Commands.insert(ref(1));
        Command.Insert second = Commands.insert(ref(2));
        Command.Insert late = Commands.insert(ref(1));
        try (ClaimDatabase database = ClaimDatabase.mariadb(MariaDbServer.shared());
                Connection connection = database.connect()) {
            Schema.of(database.pool(1)).migrate();

            List<Verdict> fresh = applied(connection, first, second);
            List<Verdict> duplicates = applied(connection, late, Commands.insert(ref(3)));

            assertThat(fresh).allMatch(verdict -> verdict instanceof Verdict.Applied);
            assertThat(duplicates.get(0))
                    .isInstanceOfSatisfying(
                            Verdict.Refused.class,
                            refused -> assertThat(refused.claim())
                                    .isNotNull()
                                    .extracting(claim -> claim.token())
                                    .isEqualTo(first.token()));
            assertThat(duplicates.get(1)).isInstanceOf(Verdict.Applied.class);
        }
    }

    private static List<Verdict> applied(Connection connection, Command... commands) throws Exception {
        CommandBatch batch = new CommandBatch(List.of(commands));
        new MariaDbDialect(false).apply(connection, batch, BOUND);
        return batch.verdicts();
    }

    private static ClaimRef ref(int number) {
        return new ClaimRef("mysql", new Digest(HexFormat.of().parseHex("%064x".formatted(number))));
    }
}

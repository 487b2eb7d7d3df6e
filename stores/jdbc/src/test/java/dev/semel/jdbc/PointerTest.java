// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.OwnerToken;
import dev.semel.claim.Status;
import dev.semel.spi.Alias;
import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import dev.semel.spi.Verdict;
import dev.semel.testkit.Commands;
import dev.semel.testservers.DatabaseKind;
import dev.semel.testservers.EachDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;

/** A pointer to an expired record counts as absent. Before it is pointed elsewhere, the record is claimed again. */
@ParameterizedClass
@EachDatabase
class PointerTest extends TransactionalCase {
    private static final Duration PAST_TTL = Duration.ofDays(2);

    private final ClaimRef record = CrossingLanes.ref("acme", 1);
    private final ClaimRef name = CrossingLanes.ref("acme", 2);
    private final Command.Insert newcomer = Commands.insert(CrossingLanes.ref("acme", 3), List.of(name));

    PointerTest(DatabaseKind kind) {
        super(kind);
    }

    private void applied(Command command) {
        assertThat(store.apply(List.of(command))).allMatch(Verdict.Applied.class::isInstance);
    }

    /** The expired record and its pointer. */
    private Snapshot expired() {
        Command.Insert insert = Commands.insert(record, List.of(name));
        applied(insert);
        applied(new Command.Settle(record, insert.token(), Status.SUCCEEDED, Commands.text("old"), null));
        database.age(record, PAST_TTL);
        Snapshot there = store.read(List.of(name)).get(name);
        assertThat(there.aliasOf()).isEqualTo(record);
        return there;
    }

    private int pointed(AliasStatements statements, Snapshot there) throws SQLException {
        Alias alias = new Alias(name, Commands.SECRET_ID, OwnerToken.random());
        try (Connection connection = store.dataSource().getConnection()) {
            return statements.writePointer(
                    connection, false, ClaimParameters.of(alias, newcomer, newcomer.ref(), there));
        }
    }

    private List<AliasStatements> everyStatement() {
        return List.of(store.dialect(), claims.transactions().aliasStatements());
    }

    @Test
    void aPointerWhoseRecordIsActiveAgainIsNotRedirected() throws SQLException {
        Snapshot there = expired();
        Snapshot old = store.read(List.of(record)).get(record);
        applied(Commands.takeOver(old));

        for (AliasStatements statements : everyStatement()) {
            assertThat(pointed(statements, there))
                    .as(statements.getClass().getSimpleName())
                    .isZero();
        }
        assertThat(store.read(List.of(name)).get(name).ref()).isEqualTo(record);
    }

    @Test
    void anOrphanedPointerIsRedirected() throws SQLException {
        for (AliasStatements statements : everyStatement()) {
            assertThat(pointed(statements, expired())).isEqualTo(1);
            database.execute("DELETE FROM idempotency_keys");
        }
    }

    @Test
    void anExpiredRecordBecomesAPointer() throws SQLException {
        for (AliasStatements statements : everyStatement()) {
            Command.Insert insert = Commands.insert(name);
            applied(insert);
            applied(new Command.Settle(name, insert.token(), Status.SUCCEEDED, Commands.text("old"), null));
            Snapshot there = store.read(List.of(name)).get(name);
            assertThat(pointed(statements, there))
                    .as("while its record is active")
                    .isZero();
            database.age(name, PAST_TTL);
            assertThat(pointed(statements, there)).isEqualTo(1);
            database.execute("DELETE FROM idempotency_keys");
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Status;
import dev.semel.claim.StoreException;
import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import dev.semel.spi.Verdict;
import dev.semel.testkit.Commands;
import dev.semel.testservers.DatabaseKind;
import dev.semel.testservers.EachDatabase;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;

/** Another session, such as a backup, has locked the row of one claim. The other commands of its batch are applied. */
class LockedRowTest {
    private static final int OTHERS = 100;

    @TempDir
    private Path folder;

    @ParameterizedTest
    @EachDatabase(except = DatabaseKind.SQLITE)
    void oneLockedRowDoesNotDelayItsBatch(DatabaseKind kind) throws Exception {
        try (ClaimDatabase database = ClaimDatabase.of(kind, folder.resolve("claims.db"));
                Connection other = database.connect()) {
            JdbcClaimStore store = database.store(4);
            ClaimRef locked = CrossingLanes.ref("acme", 0);
            store.apply(List.of(Commands.insert(locked)));
            Snapshot owned = store.read(List.of(locked)).get(locked);
            lock(other, locked);
            Command.Settle settle = Commands.settle(owned, Status.SUCCEEDED, "done");
            List<Command> batch = new ArrayList<>(IntStream.rangeClosed(1, OTHERS)
                    .<Command>mapToObj(number -> Commands.insert(CrossingLanes.ref("acme", number)))
                    .toList());
            batch.add(OTHERS / 2, settle);

            List<Verdict> verdicts = store.apply(batch);

            for (int i = 0; i < batch.size(); i++) {
                if (batch.get(i) == settle) {
                    assertThat(verdicts.get(i)).isInstanceOf(Verdict.Errored.class);
                    assertThat(((Verdict.Errored) verdicts.get(i)).cause().kind())
                            .as("it may be sent again")
                            .isEqualTo(StoreException.Kind.BUSY);
                } else {
                    assertThat(verdicts.get(i)).isInstanceOf(Verdict.Applied.class);
                }
            }
            other.rollback();
            assertThat(store.apply(List.of(settle))).allMatch(Verdict.Applied.class::isInstance);
        }
    }

    /** A duplicate only reads, so it does not wait for the lock. If it did, it would wait for a minute. */
    @ParameterizedTest
    @EachDatabase(except = DatabaseKind.SQLITE)
    @Timeout(30)
    void aDuplicateDoesNotWaitForALockedRow(DatabaseKind kind) throws Exception {
        try (ClaimDatabase database = ClaimDatabase.of(kind, folder.resolve("claims.db"));
                Connection other = database.connect()) {
            JdbcClaimStore store = database.store(4).withStatementTimeout(Duration.ofMinutes(2));
            ClaimRef locked = CrossingLanes.ref("acme", 0);
            store.apply(List.of(Commands.insert(locked)));
            lock(other, locked);

            assertThat(store.apply(List.of(Commands.insert(locked)))).allMatch(Verdict.Refused.class::isInstance);
            List<Verdict> together =
                    store.apply(List.of(Commands.insert(locked), Commands.insert(CrossingLanes.ref("acme", 1))));
            assertThat(together.get(0)).isInstanceOf(Verdict.Refused.class);
            assertThat(together.get(1)).isInstanceOf(Verdict.Applied.class);
            other.rollback();
        }
    }

    private static void lock(Connection other, ClaimRef row) throws SQLException {
        other.setAutoCommit(false);
        try (PreparedStatement lock =
                other.prepareStatement("SELECT 1 FROM idempotency_keys WHERE key_hash = ? FOR UPDATE")) {
            lock.setBytes(1, row.digest().bytes());
            lock.executeQuery();
        }
    }
}

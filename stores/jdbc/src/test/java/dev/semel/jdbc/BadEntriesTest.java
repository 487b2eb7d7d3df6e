// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.claim.ClaimKey;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.OwnerToken;
import dev.semel.claim.RecordId;
import dev.semel.claim.Status;
import dev.semel.claim.StoreException;
import dev.semel.claim.StoredResult;
import dev.semel.claim.Terms;
import dev.semel.key.ClaimMode;
import dev.semel.key.KeyDigests;
import dev.semel.key.Secret;
import dev.semel.spi.Command;
import dev.semel.spi.Verdict;
import dev.semel.testservers.DatabaseKind;
import dev.semel.testservers.EachDatabase;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;

/** Rows 12, 13 and 18 of docs/failures.md: bad entries fail alone, and locks of others do not delay the rest. */
class BadEntriesTest {
    private static final KeyDigests DIGESTS = new KeyDigests(Secret.of("0123456789abcdef0123456789abcdef"));

    @ParameterizedTest
    @EachDatabase
    void row13_aBadRowFailsAlone(DatabaseKind kind, @TempDir Path folder) throws Exception {
        try (ClaimDatabase database = ClaimDatabase.of(kind, folder.resolve("claims.db"))) {
            JdbcClaimStore store = database.store(2);
            database.execute(
                    kind == DatabaseKind.SQLITE
                            ? "CREATE TRIGGER poison BEFORE INSERT ON idempotency_keys WHEN new.scope = 'poison'"
                                    + " BEGIN SELECT RAISE(ABORT, 'poison'); END"
                            : "ALTER TABLE idempotency_keys ADD CHECK (scope <> 'poison')");
            aBadRowFailsAlone(store);
        }
    }

    private static void aBadRowFailsAlone(JdbcClaimStore store) {
        Command.Insert running = insert("fine", "running");
        store.apply(List.of(running));
        List<Command> batch = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            batch.add(insert("fine", "key-" + i));
        }
        batch.add(7, insert("poison", "bad"));
        batch.add(new Command.Settle(running.ref(), running.token(), Status.SUCCEEDED, null, null));

        List<Verdict> verdicts = store.apply(batch);

        assertThat(verdicts).hasSize(22);
        for (int i = 0; i < verdicts.size(); i++) {
            if (i == 7) {
                assertThat(verdicts.get(i))
                        .isInstanceOfSatisfying(
                                Verdict.Errored.class,
                                errored -> assertThat(errored.cause().kind()).isEqualTo(StoreException.Kind.REJECTED));
            } else {
                assertThat(verdicts.get(i)).isInstanceOf(Verdict.Applied.class);
            }
        }
    }

    @ParameterizedTest
    @EachDatabase(except = DatabaseKind.SQLITE)
    void row12_aRowLockedByOthersEndsAsBusy_andTheRestOfTheBatchIsDone(DatabaseKind kind) throws Exception {
        try (ClaimDatabase database = ClaimDatabase.on(kind.sharedServer());
                Connection other = database.connect()) {
            JdbcClaimStore store = JdbcClaimStore.migrating(database.pool(2));
            Command.Insert locked = insert("fine", "locked");
            Command.Insert free = insert("fine", "free");
            store.apply(List.of(locked, free));
            other.setAutoCommit(false);
            try (PreparedStatement lock =
                    other.prepareStatement("SELECT 1 FROM idempotency_keys WHERE key_hash = ? FOR UPDATE")) {
                lock.setBytes(1, locked.ref().digest().bytes());
                lock.execute();

                List<Verdict> verdicts = store.apply(List.of(settled(locked), settled(free)));

                assertThat(verdicts.get(0))
                        .isInstanceOfSatisfying(
                                Verdict.Errored.class,
                                errored -> assertThat(errored.cause().kind()).isEqualTo(StoreException.Kind.BUSY));
                assertThat(verdicts.get(1)).isInstanceOf(Verdict.Applied.class);
            }
            other.rollback();
            assertThat(store.apply(List.of(settled(locked))).get(0)).isInstanceOf(Verdict.Applied.class);
        }
    }

    @ParameterizedTest
    @EachDatabase(except = DatabaseKind.SQLITE)
    void row18_aSweepDoesNotWaitForALockedRow(DatabaseKind kind) throws Exception {
        try (ClaimDatabase database = ClaimDatabase.on(kind.sharedServer())) {
            aSweepDoesNotWaitForALockedRow(database);
        }
    }

    private static void aSweepDoesNotWaitForALockedRow(ClaimDatabase database) throws Exception {
        JdbcClaimStore store = JdbcClaimStore.migrating(database.pool(2));
        Command.Insert locked = insert("fine", "locked");
        Command.Insert free = insert("fine", "free");
        store.apply(List.of(locked, free));
        store.apply(List.of(settled(locked), settled(free)));
        database.age(locked.ref(), Duration.ofDays(2));
        database.age(free.ref(), Duration.ofDays(2));
        try (Connection other = database.connect();
                PreparedStatement lock =
                        other.prepareStatement("SELECT 1 FROM idempotency_keys WHERE key_hash = ? FOR UPDATE")) {
            other.setAutoCommit(false);
            lock.setBytes(1, locked.ref().digest().bytes());
            lock.execute();

            assertThat(store.sweep(10).deleted()).isEqualTo(1);

            other.rollback();
        }
        assertThat(store.find(free.ref())).isEmpty();
        assertThat(store.find(locked.ref())).isPresent();
    }

    @ParameterizedTest
    @EachDatabase(except = {DatabaseKind.POSTGRESQL, DatabaseKind.SQLITE})
    void aResultThatIsTooLargeForAStatementIsRejected_notRetriedForever(DatabaseKind kind) throws Exception {
        try (ClaimDatabase database = ClaimDatabase.on(kind.sharedServer())) {
            JdbcClaimStore store = JdbcClaimStore.migrating(database.pool(2));
            Command.Insert claim = insert("fine", "large");
            store.apply(List.of(claim));
            StoredResult large = new StoredResult("application/octet-stream", new byte[StoredResult.MAX_BYTES]);

            Verdict verdict = store.apply(
                            List.of(new Command.Settle(claim.ref(), claim.token(), Status.SUCCEEDED, large, null)))
                    .get(0);

            assertThat(verdict)
                    .isInstanceOfSatisfying(
                            Verdict.Errored.class,
                            errored -> assertThat(errored.cause().kind()).isEqualTo(StoreException.Kind.REJECTED));
        }
    }

    private static Command.Insert insert(String scope, String key) {
        return new Command.Insert(
                DIGESTS.refOf(ClaimMode.LEASED, new ClaimKey("acme", scope, key)),
                scope,
                DIGESTS.secretId(),
                OwnerToken.random(),
                RecordId.random(),
                Fingerprint.NONE,
                Terms.DEFAULT);
    }

    private static Command settled(Command.Insert claim) {
        return new Command.Settle(claim.ref(), claim.token(), Status.SUCCEEDED, null, null);
    }
}

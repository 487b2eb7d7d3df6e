// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Digest;
import dev.semel.claim.Status;
import dev.semel.claim.StoredResult;
import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import dev.semel.spi.Verdict;
import dev.semel.testkit.Commands;
import dev.semel.testservers.DatabaseKind;
import dev.semel.testservers.EachDatabase;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;

/** Batches of settlements with and without results and reasons, large and small, in any order. */
@ParameterizedClass
@EachDatabase
@Timeout(120)
class MixedSettlementsTest {
    private static final int[] SIZES = {0, 1, 255, 256, 8_191, 8_192, 8_193, 65_535, 65_536, 70_000};

    private final DatabaseKind kind;

    @TempDir
    private Path folder;

    MixedSettlementsTest(DatabaseKind kind) {
        this.kind = kind;
    }

    @Test
    void eachIsStoredAsItWasSent() throws Exception {
        Path file = folder.resolve("claims.db");
        Random random = new Random(11);
        try (ClaimDatabase database = ClaimDatabase.of(kind, file)) {
            JdbcClaimStore store = database.store(2);
            for (int round = 0; round < 40; round++) {
                batch(store, random, round);
            }
        }
    }

    private static void batch(JdbcClaimStore store, Random random, int round) {
        List<Command> inserts = new ArrayList<>();
        int count = 2 + random.nextInt(12);
        for (int i = 0; i < count; i++) {
            inserts.add(Commands.insert(ref(round, i)));
        }
        store.apply(inserts);
        List<Command.Settle> settlements = new ArrayList<>();
        for (Command insert : inserts) {
            Status status = List.of(Status.SUCCEEDED, Status.SUCCEEDED, Status.FAILED, Status.RETRYABLE, Status.UNKNOWN)
                    .get(random.nextInt(5));
            byte[] bytes = new byte[SIZES[random.nextInt(SIZES.length)]];
            random.nextBytes(bytes);
            boolean withResult = status == Status.SUCCEEDED || (status == Status.FAILED && random.nextBoolean());
            String reason = random.nextInt(3) == 0 ? null : "é€😀x".repeat(random.nextInt(40)) + "r";
            settlements.add(new Command.Settle(
                    insert.ref(),
                    insert.token(),
                    status,
                    withResult ? new StoredResult(random.nextBoolean() ? "t" : "text/long-type", bytes) : null,
                    reason));
        }
        List<Verdict> verdicts = store.apply(settlements);
        Map<ClaimRef, Snapshot> found =
                store.read(settlements.stream().map(Command::ref).toList());
        for (int i = 0; i < count; i++) {
            Command.Settle sent = settlements.get(i);
            Snapshot stored = found.get(sent.ref());
            assertThat(verdicts.get(i)).isInstanceOf(Verdict.Applied.class);
            assertThat(stored.status()).isEqualTo(sent.status());
            assertThat(stored.result()).isEqualTo(sent.result());
            assertThat(stored.reason()).isEqualTo(sent.reason());
        }
        assertThat(store.apply(settlements)).as("repeated").allMatch(Verdict.Applied.class::isInstance);
    }

    private static ClaimRef ref(int round, int number) {
        byte[] digest = new byte[Digest.LENGTH];
        digest[0] = (byte) number;
        digest[1] = (byte) round;
        return new ClaimRef("acme", new Digest(digest));
    }
}

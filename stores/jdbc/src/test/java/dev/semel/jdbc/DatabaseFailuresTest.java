// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.Codec;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.Semel;
import dev.semel.claim.ClaimKey;
import dev.semel.claim.ClaimRef;
import dev.semel.claim.Digest;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.OwnerToken;
import dev.semel.claim.RecordId;
import dev.semel.claim.Terms;
import dev.semel.key.Secrets;
import dev.semel.spi.Command;
import dev.semel.spi.Verdict;
import dev.semel.testservers.DatabaseKind;
import dev.semel.testservers.EachDatabase;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;

/** Rows of docs/failures.md that depend on the database, on every database. */
@ParameterizedClass
@EachDatabase
class DatabaseFailuresTest {
    private static final Operation<byte[]> BYTES = Operation.of("bytes", Codec.bytes());
    private static final Operation<String> TEXT = Operation.of("text", Codec.text());

    private final DatabaseKind kind;
    private final String tenant = "tenant-" + UUID.randomUUID();
    private final AtomicInteger runs = new AtomicInteger();

    @TempDir
    private Path folder;

    private ClaimDatabase database;
    private JdbcClaimStore store;
    private Semel semel;

    DatabaseFailuresTest(DatabaseKind kind) {
        this.kind = kind;
    }

    @BeforeEach
    void open() {
        Path file = folder.resolve("claims.db");
        database = ClaimDatabase.of(kind, file);
        // Only two connections, so that a waiting caller that holds one is detected.
        store = database.store(2);
        semel = database.closing(Semel.on(store)
                .secrets(Secrets.of("0123456789abcdef0123456789abcdef"))
                .withoutReplayCache()
                .withoutSweep()
                .build());
    }

    @AfterEach
    void close() throws Exception {
        semel.close();
        database.close();
    }

    private String run(ClaimKey key) {
        Operation<String> operation = Operation.of(key.scope(), Codec.text());
        return semel.execute(operation, key, run -> "run " + runs.incrementAndGet())
                .orElseThrow();
    }

    @Test
    void row02_leaseAndRetentionAreSeparate() {
        Operation<String> operation = TEXT.withLease(Duration.ofMinutes(5)).withTtl(Duration.ofDays(7));
        ClaimKey settled = operation.key(tenant, "settled");
        semel.execute(operation, settled, run -> "the first");
        database.age(semel.refOf(settled), Duration.ofDays(6));

        assertThat(semel.execute(operation, settled, run -> "another"))
                .as("long after the lease")
                .isEqualTo(new Outcome.Succeeded<>("the first", true));

        ClaimKey abandoned = operation.key(tenant, "abandoned");
        semel.claim(abandoned, Fingerprint.NONE, operation.terms(), Duration.ZERO)
                .toCompletableFuture()
                .join();
        database.age(semel.refOf(abandoned), Duration.ofMinutes(6));

        assertThat(semel.execute(operation, abandoned, run -> "taken over"))
                .as("long before the TTL")
                .isEqualTo(new Outcome.Succeeded<>("taken over", false));
    }

    @Test
    void row09_theReplayIsTheSameByteForByte() {
        byte[] all = new byte[1024];
        IntStream.range(0, all.length).forEach(i -> all[i] = (byte) i);

        semel.execute(BYTES, BYTES.key(tenant, "all"), run -> all);

        assertThat(semel.execute(BYTES, BYTES.key(tenant, "all"), run -> new byte[0])
                        .orElseThrow())
                .isEqualTo(all);
    }

    @Test
    void row14_manyDuplicatesWaitWithoutAConnection() {
        Operation<String> waiting = TEXT.waitingUpTo(Duration.ofSeconds(60));
        ClaimKey key = waiting.key(tenant, "slow");
        CompletableFuture<String> result = new CompletableFuture<>();
        List<CompletableFuture<Outcome<String>>> callers = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            callers.add(semel.executeAsync(waiting, key, run -> {
                        runs.incrementAndGet();
                        return result;
                    })
                    .toCompletableFuture());
        }
        await().until(() -> runs.get() == 1);
        // While 200 callers wait, the two connections are free for others.
        assertThat(run(TEXT.key(tenant, "other"))).isEqualTo("run 2");

        result.complete("the one answer");

        assertThat(callers)
                .allSatisfy(caller -> assertThat(caller.join().orElseThrow()).isEqualTo("the one answer"));
        assertThat(runs).hasValue(2);
    }

    @Test
    void row18_aSweepIsBoundedAndTakesWhatItCanGet() {
        for (int i = 0; i < 25; i++) {
            ClaimKey key = TEXT.key(tenant, "key-" + i);
            run(key);
            database.age(semel.refOf(key), Duration.ofDays(2));
        }

        assertThat(store.sweep(10).deleted()).isEqualTo(10);
        assertThat(store.sweep(10).more()).isTrue();
        assertThat(store.sweep(10).deleted()).isEqualTo(5);
        assertThat(store.sweep(10).more()).isFalse();
    }

    @Test
    void row20_tenantAndScopeArePartOfTheClaim() {
        assertThat(run(new ClaimKey(tenant, "POST /orders", "1"))).isEqualTo("run 1");
        assertThat(run(new ClaimKey(tenant, "POST /refunds", "1"))).isEqualTo("run 2");
        assertThat(run(new ClaimKey(tenant + "x", "POST /orders", "1"))).isEqualTo("run 3");
        assertThat(run(new ClaimKey(tenant, "POST /orders", "1"))).isEqualTo("run 1");
    }

    @Test
    void row21_row26_keysAreComparedAsBytes() {
        List<String> alike = List.of(
                "key", "KEY", "Key", "key ", "k\u00e9y", "ke\u0301y", "k\u00c9y", "\uff4bey", "stra\u00dfe", "strasse");

        alike.forEach(key -> run(TEXT.key(tenant, key)));
        alike.forEach(key -> run(TEXT.key(tenant, key)));

        assertThat(runs).hasValue(alike.size());
    }

    @Test
    void row22_everyBitOfTheDigestCounts() {
        byte[] bytes = new byte[Digest.LENGTH];
        bytes[0] = (byte) tenant.hashCode();
        Command first = insert(new Digest(bytes));
        bytes[Digest.LENGTH - 1] = 1;
        Command second = insert(new Digest(bytes));

        assertThat(store.apply(List.of(first, second))).allMatch(verdict -> verdict instanceof Verdict.Applied);
        assertThat(store.read(List.of(first.ref(), second.ref()))).hasSize(2);
    }

    private Command insert(Digest digest) {
        return new Command.Insert(
                new ClaimRef(tenant, digest),
                "scope",
                "secret",
                OwnerToken.random(),
                RecordId.random(),
                Fingerprint.NONE,
                Terms.DEFAULT);
    }

    @Test
    void row23_partsThatMeetInTheMiddleDoNotMeet() {
        assertThat(run(new ClaimKey(tenant, "ab", "c"))).isEqualTo("run 1");
        assertThat(run(new ClaimKey(tenant, "a", "bc"))).isEqualTo("run 2");
        assertThat(run(new ClaimKey(tenant + "a", "b", "c"))).isEqualTo("run 3");
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Codec;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.claim.AliasedKey;
import dev.semel.claim.ClaimKey;
import dev.semel.claim.ClaimRef;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.Status;
import dev.semel.claim.StoredResult;
import dev.semel.key.ClaimMode;
import dev.semel.key.KeyDigests;
import dev.semel.key.Secret;
import dev.semel.key.Secrets;
import dev.semel.spi.ClaimStore;
import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import dev.semel.spi.Verdict;
import dev.semel.testkit.Commands;
import dev.semel.testservers.DatabaseKind;
import dev.semel.testservers.EachDatabase;
import dev.semel.testservers.MeasuredDataSource;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;

/**
 * The size of a query's answer is limited, because drivers keep all of it in memory. Small results need no second
 * query.
 */
@ParameterizedClass
@EachDatabase
@Timeout(120)
class ManyResultsTest {
    private static final Secret SECRET = Secret.of("0123456789abcdef0123456789abcdef");
    private static final Operation<String> POST = Operation.of("post", Codec.text());
    private static final int MEBIBYTE = 1 << 20;

    /** The size of a row without its result. */
    private static final int ROW = 1_000;

    private final DatabaseKind kind;

    @TempDir
    private Path folder;

    private ClaimDatabase database;
    private MeasuredDataSource measured;
    private JdbcClaimStore store;
    private Effects effects;

    ManyResultsTest(DatabaseKind kind) {
        this.kind = kind;
    }

    @BeforeEach
    void open() {
        Path file = folder.resolve("claims.db");
        database = ClaimDatabase.of(kind, file);
        measured = new MeasuredDataSource(database.store(4).dataSource());
        store = JdbcClaimStore.on(measured.dataSource());
        effects = Effects.in(database);
    }

    @AfterEach
    void close() throws Exception {
        database.close();
    }

    private static ClaimRef ref(int number) {
        return new KeyDigests(SECRET).refOf(ClaimMode.LEASED, new ClaimKey("acme", Commands.SCOPE, "key " + number));
    }

    private static StoredResult result(int size) {
        return new StoredResult("a/b", new byte[size]);
    }

    private Command.Settle running(int number, int size) {
        Command.Insert insert = Commands.insert(ref(number));
        assertThat(store.apply(List.of(insert)).get(0)).isInstanceOf(Verdict.Applied.class);
        return new Command.Settle(insert.ref(), insert.token(), Status.SUCCEEDED, result(size), null);
    }

    private List<ClaimRef> settled(int count, int size) {
        List<ClaimRef> refs = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Command.Settle settle = running(i, size);
            assertThat(store.apply(List.of(settle)).get(0)).isInstanceOf(Verdict.Applied.class);
            refs.add(settle.ref());
        }
        measured.taken();
        return refs;
    }

    private void requireBounded() {
        assertThat(measured.taken())
                .isNotEmpty()
                .allSatisfy(sent -> assertThat(sent).isLessThanOrEqualTo(ClaimStore.MAX_RESULT_BYTES + 200 * ROW));
    }

    @Test
    void noQueryForManyClaimsReturnsMore() {
        List<ClaimRef> refs = settled(20, MEBIBYTE);

        assertThat(store.read(refs).values()).allMatch(Snapshot::resultOmitted);
        requireBounded();
        store.apply(refs.stream().map(Commands::insert).toList());
        requireBounded();
        store.apply(refs.stream()
                .map(name -> Commands.insert(ref(1_000 + refs.indexOf(name)), List.of(name)))
                .toList());
        requireBounded();
    }

    @Test
    void noQueryForOneClaimWithManyAliasesReturnsMore() {
        List<ClaimRef> refs = settled(8, MEBIBYTE);

        Verdict verdict = store.apply(List.of(Commands.insert(refs.get(0), refs.subList(1, 8))))
                .get(0);

        assertThat(((Verdict.Refused) verdict).claim().result()).isEqualTo(result(MEBIBYTE));
        requireBounded();
    }

    /** SQLite runs one query per claim, and has no round trips to save. */
    @Test
    void smallResultsNeedOneQuery() {
        List<ClaimRef> refs = settled(20, 1_000);

        store.read(refs);
        assertThat(measured.taken()).hasSize(kind == DatabaseKind.SQLITE ? 20 : 1);
        store.apply(refs.stream().map(Commands::insert).toList());
        assertThat(measured.taken()).hasSize(kind == DatabaseKind.SQLITE ? 20 : 1);
    }

    /** Where settlements are read again, as on MariaDB and MySQL, large ones need no additional query either. */
    @Test
    void settlingLargeResultsTogetherNeedsNoFurtherQuery() {
        List<Command.Settle> all = IntStream.range(0, 20)
                .mapToObj(i -> running(i, i % 2 == 0 ? 10 : MEBIBYTE / 4))
                .toList();
        measured.taken();

        assertThat(store.apply(all)).allMatch(verdict -> verdict instanceof Verdict.Applied);

        // MySQL locks the rows by a query of its own, which returns no results.
        assertThat(measured.taken())
                .hasSize(
                        switch (kind) {
                            case POSTGRESQL, SQLITE -> 0;
                            case MARIADB -> 1;
                            case MYSQL -> 2;
                        });
        assertThat(store.apply(all)).as("sent again").allMatch(verdict -> verdict instanceof Verdict.Applied);
        requireBounded();
    }

    private GroupedClaims<String, String> group() {
        return database.closing(
                GroupedClaims.on(TransactionalClaims.on(store, Secrets.of(SECRET)), POST, Effects::addAll));
    }

    private static String large(int number) {
        return number + " " + "x".repeat(MEBIBYTE / 2);
    }

    /** Rows in one batch that are duplicates with large results all receive them, one after the other. */
    @Test
    void aGroupIsBoundedToo() {
        GroupedClaims<String, String> group = group();
        for (int i = 0; i < 20; i++) {
            assertThat(group.submit(POST.key("acme", "key " + i), "row " + i, large(i))
                            .toCompletableFuture()
                            .join())
                    .isInstanceOf(Outcome.Succeeded.class);
        }
        measured.taken();
        CountDownLatch release = new CountDownLatch(1);
        GroupedClaims<String, String> held = database.closing(
                GroupedClaims.on(TransactionalClaims.on(store, Secrets.of(SECRET)), POST, (connection, rows) -> {
                    Effects.addAll(connection, rows);
                    await(release);
                }));
        List<CompletableFuture<Outcome<String>>> first =
                IntStream.range(100, 110).mapToObj(i -> submitted(held, i)).toList();
        List<CompletableFuture<Outcome<String>>> again =
                IntStream.range(0, 20).mapToObj(i -> submitted(held, i)).toList();
        release.countDown();

        first.forEach(CompletableFuture::join);
        for (int i = 0; i < 20; i++) {
            assertThat(again.get(i).join()).isEqualTo(new Outcome.Succeeded<>(large(i), true));
        }
        requireBounded();
        assertThat(effects.counts())
                .hasSize(30)
                .allSatisfy((row, count) -> assertThat(count).isEqualTo(1));
    }

    private static CompletableFuture<Outcome<String>> submitted(GroupedClaims<String, String> group, int number) {
        return group.submit(POST.key("acme", "key " + number), "row " + number, "small")
                .toCompletableFuture();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** A claim in an open transaction whose keys are all records with large results. */
    @Test
    void aTransactionIsBoundedTooAndItsAnswerIsWhole() {
        TransactionalClaims claims = TransactionalClaims.on(store, Secrets.of(SECRET));
        List<ClaimKey> keys = IntStream.range(0, 9)
                .mapToObj(i -> POST.key("acme", "key " + i))
                .toList();
        for (int i = 0; i < 9; i++) {
            String result = large(i);
            claims.inTransaction(POST, keys.get(i), (connection, run) -> result);
        }
        measured.taken();

        Outcome<String> outcome = claims.inTransaction(
                POST,
                new AliasedKey(keys.get(0), keys.subList(1, 9)),
                Fingerprint.NONE,
                (connection, run) -> "ran again");

        assertThat(outcome).isInstanceOfSatisfying(Outcome.Succeeded.class, succeeded -> {
            assertThat(succeeded.replayed()).isTrue();
            assertThat(succeeded.value().toString()).hasSizeGreaterThan(MEBIBYTE / 2);
        });
        requireBounded();
        assertThat(Collections.max(measuredAgain(claims, keys.get(3)))).isLessThan(MEBIBYTE);
    }

    private List<Long> measuredAgain(TransactionalClaims claims, ClaimKey key) {
        assertThat(claims.inTransaction(POST, key, (connection, run) -> "ran again"))
                .isEqualTo(new Outcome.Succeeded<>(large(3), true));
        return measured.taken();
    }
}

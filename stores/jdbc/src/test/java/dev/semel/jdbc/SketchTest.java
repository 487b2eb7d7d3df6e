// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.semel.Outcome;
import dev.semel.claim.AliasedKey;
import dev.semel.claim.ClaimKey;
import dev.semel.claim.ClaimRef;
import dev.semel.claim.Digest;
import dev.semel.claim.Fingerprint;
import dev.semel.spi.Command;
import dev.semel.testkit.Commands;
import dev.semel.testservers.DatabaseKind;
import dev.semel.testservers.EachDatabase;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;

/** Sketches of claims in a transaction and of groups, and errors that only a database can make with them. */
@ParameterizedClass
@EachDatabase
@Timeout(120)
class SketchTest extends TransactionalCase {
    private static final Fingerprint FIRST = Fingerprint.of("first");
    private static final Fingerprint OTHER = Fingerprint.of("other");

    SketchTest(DatabaseKind kind) {
        super(kind);
    }

    private static byte[] filled(int size, int value) {
        byte[] sketch = new byte[size];
        Arrays.fill(sketch, (byte) value);
        return sketch;
    }

    private byte[] earlierSketch(AliasedKey key) {
        Outcome<String> outcome = claims.inTransaction(PAY, key, OTHER, (connection, run) -> "ran");
        return ((Outcome.Mismatch<String>) outcome).earlier().sketch();
    }

    @Test
    void aClaimInATransactionKeepsItsSketch() {
        claims.inTransaction(PAY, KEY, FIRST.withSketch(filled(4_096, 1)), (connection, run) -> "first");

        assertThat(earlierSketch(AliasedKey.of(KEY))).isEqualTo(filled(4_096, 1));
    }

    @Test
    void aTakeOverInATransactionReplacesTheSketchAlsoByNone() {
        failing(FIRST.withSketch(filled(10, 1)));
        failing(FIRST.withSketch(filled(20, 2)));
        assertThat(earlierSketch(AliasedKey.of(KEY))).isEqualTo(filled(20, 2));

        failing(FIRST);
        assertThat(earlierSketch(AliasedKey.of(KEY))).isEmpty();
    }

    private void failing(Fingerprint fingerprint) {
        assertThat(claims.inTransaction(PAY, KEY, fingerprint, (connection, run) -> {
                    throw new IllegalStateException("declined");
                }))
                .isInstanceOf(Outcome.Retryable.class);
    }

    @Test
    void aClaimWithAliasesInATransactionReturnsItsSketchForEachKey() {
        ClaimKey name = PAY.key("acme", "order-17, too");
        claims.inTransaction(
                PAY, KEY.alsoKnownAs(name.key()), FIRST.withSketch(filled(10, 1)), (connection, run) -> "first");

        assertThat(earlierSketch(AliasedKey.of(name))).isEqualTo(filled(10, 1));
        assertThat(earlierSketch(KEY.alsoKnownAs("another"))).isEqualTo(filled(10, 1));
    }

    @Test
    void anExpiredClaimThatIsClaimedAnewInATransactionGetsTheNewSketch() {
        claims.inTransaction(PAY, KEY, OTHER.withSketch(filled(10, 1)), (connection, run) -> "first");
        database.age(claims.refOf(PAY, KEY), Duration.ofDays(2));

        claims.inTransaction(
                PAY, KEY.alsoKnownAs("another"), FIRST.withSketch(filled(20, 2)), (connection, run) -> "second");

        assertThat(earlierSketch(AliasedKey.of(KEY))).isEqualTo(filled(20, 2));
    }

    @Test
    void everyClaimOfAGroupKeepsItsOwnSketch() {
        GroupedClaims<String, String> group = database.closing(GroupedClaims.on(claims, PAY, Effects::addAll));
        int[] sizes = {0, 1, 4_095, 4_096, 100, 0, 7, 8};
        List<CompletableFuture<Outcome<String>>> outcomes = IntStream.range(0, sizes.length)
                .mapToObj(i -> group.submit(
                                PAY.key("acme", "key " + i), FIRST.withSketch(filled(sizes[i], i)), "row " + i, "done")
                        .toCompletableFuture())
                .toList();
        outcomes.forEach(outcome -> assertThat(outcome.join()).isInstanceOf(Outcome.Succeeded.class));

        for (int i = 0; i < sizes.length; i++) {
            assertThat(earlierSketch(AliasedKey.of(PAY.key("acme", "key " + i))))
                    .isEqualTo(filled(sizes[i], i));
            assertThat(group.submit(PAY.key("acme", "key " + i), OTHER, "row", "done")
                            .toCompletableFuture()
                            .join())
                    .isEqualTo(new Outcome.Mismatch<>(FIRST));
        }
    }

    @Test
    void noSketchIsNull() throws Exception {
        store.apply(List.of(
                Commands.insert(ref(1)),
                Commands.insert(ref(2)),
                Commands.sketched(Commands.insert(ref(3)), filled(1, 0))));
        claims.inTransaction(PAY, KEY, FIRST, (connection, run) -> "first");

        assertThat(count("SELECT count(*) FROM idempotency_keys WHERE sketch IS NULL"))
                .isEqualTo(3);
        assertThat(count("SELECT count(*) FROM idempotency_keys WHERE sketch IS NOT NULL"))
                .isEqualTo(1);
    }

    /** A sketch of a later version with a higher limit. The column of MariaDB and MySQL does not accept more. */
    @Test
    void aSketchThatIsTooLargeCountsAsAbsent() {
        assumeTrue(!kind.isMariaDbOrMySql());
        Command.Insert insert = Commands.sketched(Commands.insert(ref(1)), filled(10, 1));
        store.apply(List.of(insert));
        database.execute(
                kind == DatabaseKind.POSTGRESQL
                        ? "UPDATE idempotency_keys SET sketch = convert_to(repeat('x', 4097), 'UTF8')"
                        : "UPDATE idempotency_keys SET sketch = zeroblob(4097)");

        Fingerprint read = store.read(List.of(ref(1))).get(ref(1)).fingerprint();

        assertThat(read).isEqualTo(insert.fingerprint());
        assertThat(read.sketch()).isEmpty();
    }

    private static ClaimRef ref(int number) {
        return new ClaimRef(
                "acme",
                new Digest(ByteBuffer.allocate(Digest.LENGTH).putInt(number).array()));
    }

    private int count(String sql) throws Exception {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getInt(1);
        }
    }
}

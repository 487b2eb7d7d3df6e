// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.SweepReport;
import dev.semel.claim.Terms;
import dev.semel.spi.Command;
import dev.semel.testkit.Commands;
import dev.semel.testservers.DatabaseKind;
import dev.semel.testservers.EachDatabase;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A sweep while a caller's transaction holds the row of a claim. The planner chooses by how many rows there are, and how many are due. */
@ParameterizedClass
@EachDatabase(except = DatabaseKind.SQLITE)
class SweepBesideTransactionTest extends TransactionalCase {
    private static final Duration TTL = Duration.ofHours(1);
    private static final int TOGETHER = 250;

    SweepBesideTransactionTest(DatabaseKind kind) {
        super(kind);
    }

    @ParameterizedTest(name = "{0} live claims, {1} abandoned ones")
    @CsvSource({"0, 20", "1000, 20", "1000, 500"})
    void theOpenTransactionDoesNotStopTheSweep(int live, int abandoned) throws Exception {
        insert(0, live, Terms.DEFAULT);
        List<ClaimRef> due = insert(
                live, abandoned, Terms.DEFAULT.withLease(Duration.ofMinutes(1)).withTtl(TTL));
        Connection connection = begin();
        try {
            pay(connection, "open");

            due.forEach(ref -> database.age(ref, TTL.multipliedBy(3)));
            assertThat(store.sweep(1_000)).isEqualTo(new SweepReport(0, abandoned, 0, false));

            due.forEach(ref -> database.age(ref, TTL.multipliedBy(3)));
            assertThat(store.sweep(1_000)).isEqualTo(new SweepReport(abandoned, 0, 0, false));
        } finally {
            end(connection);
        }
    }

    private List<ClaimRef> insert(int first, int count, Terms terms) {
        List<ClaimRef> refs = IntStream.range(first, first + count)
                .mapToObj(number -> CrossingLanes.ref("acme", number))
                .toList();
        for (int from = 0; from < count; from += TOGETHER) {
            List<Command> inserts = new ArrayList<>();
            refs.subList(from, Math.min(count, from + TOGETHER))
                    .forEach(ref -> inserts.add(Commands.insert(ref, terms)));
            store.apply(inserts);
        }
        return refs;
    }
}

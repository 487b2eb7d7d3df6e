// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Status;
import dev.semel.spi.Command;
import dev.semel.spi.Verdict;
import dev.semel.testkit.Commands;
import dev.semel.testservers.DatabaseKind;
import dev.semel.testservers.EachDatabase;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;

/** On MariaDB and MySQL, {@code semel_aliases} has an entry for each pointer. The sweep leaves no entry without a row. */
@ParameterizedClass
@EachDatabase(except = {DatabaseKind.POSTGRESQL, DatabaseKind.SQLITE})
class AliasEntriesTest extends TransactionalCase {
    private static final Duration PAST_TTL = Duration.ofDays(2);

    private final ClaimRef record = CrossingLanes.ref("acme", 1);
    private final ClaimRef name = CrossingLanes.ref("acme", 2);

    AliasEntriesTest(DatabaseKind kind) {
        super(kind);
    }

    @Test
    void aClaimWithoutAliasesHasNone() {
        applied(Commands.insert(record));

        assertThat(database.count("semel_aliases")).isZero();
    }

    @Test
    void theEntryOfAPointerIsDeletedWithIt() {
        expired();
        assertThat(database.count("semel_aliases")).isEqualTo(1);

        store.sweep(100);

        assertThat(database.count("idempotency_keys")).isZero();
        assertThat(database.count("semel_aliases")).isZero();
    }

    @Test
    void theEntryOfAPointerThatBecameARecordIsDeletedWithTheRecord() {
        expired();
        Command.TakeOver takeOver = Commands.takeOver(store.read(List.of(name)).get(name));
        applied(takeOver);
        store.sweep(100);
        assertThat(store.read(List.of(record, name))).containsOnlyKeys(name);

        applied(new Command.Settle(name, takeOver.token(), Status.SUCCEEDED, null, null));
        database.age(name, PAST_TTL);
        store.sweep(100);

        assertThat(database.count("idempotency_keys")).isZero();
        assertThat(database.count("semel_aliases")).isZero();
    }

    /** The record and its pointer. */
    private void expired() {
        Command.Insert insert = Commands.insert(record, List.of(name));
        applied(insert);
        applied(new Command.Settle(record, insert.token(), Status.SUCCEEDED, null, null));
        database.age(record, PAST_TTL);
    }

    private void applied(Command command) {
        assertThat(store.apply(List.of(command))).allMatch(Verdict.Applied.class::isInstance);
    }
}

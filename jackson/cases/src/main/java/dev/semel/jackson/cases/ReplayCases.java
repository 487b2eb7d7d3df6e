// SPDX-License-Identifier: Apache-2.0
package dev.semel.jackson.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Codec;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.Rejection;
import dev.semel.Semel;
import dev.semel.Work;
import dev.semel.jdbc.JdbcClaimStore;
import dev.semel.key.Secrets;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What duplicates receive from another engine over the same SQLite file. */
@SuppressWarnings("NullAway") // Tests pass null on purpose and have fields that JUnit sets.
public abstract class ReplayCases {
    private static final Secrets SECRETS = Secrets.of("0123456789abcdef0123456789abcdef");

    private final AtomicInteger runs = new AtomicInteger();

    @TempDir
    Path folder;

    @AutoClose
    private JdbcClaimStore store;

    @AutoClose
    private JdbcClaimStore otherStore;

    @AutoClose
    private Semel semel;

    @AutoClose
    private Semel other;

    protected ReplayCases() {}

    /** The codec of a class, with the default mapper. */
    protected abstract <T> Codec<T> codec(Class<T> type);

    @BeforeEach
    void startTwoEngines() {
        store = JdbcClaimStore.sqlite(folder.resolve("claims.db"));
        otherStore = JdbcClaimStore.sqlite(folder.resolve("claims.db"));
        semel = Semel.on(store).secrets(SECRETS).withoutSweep().build();
        other = Semel.on(otherStore).secrets(SECRETS).withoutSweep().build();
    }

    @Test
    void aResultIsReplayed() {
        Operation<PlacedOrder> place = Operation.of("order.place", codec(PlacedOrder.class));
        Work<PlacedOrder> work = counted(PlacedOrder.sample());

        assertThat(first(place, work)).isEqualTo(new Outcome.Succeeded<>(PlacedOrder.sample(), false));
        assertThat(second(place, work)).isEqualTo(new Outcome.Succeeded<>(PlacedOrder.sample(), true));
        assertThat(runs).hasValue(1);
    }

    @Test
    void nullIsReplayedAsNull() {
        Operation<PlacedOrder> place = Operation.of("order.place", codec(PlacedOrder.class));

        assertThat(first(place, counted(null))).isEqualTo(new Outcome.Succeeded<>(null, false));
        assertThat(second(place, counted(null))).isEqualTo(new Outcome.Succeeded<>(null, true));
        assertThat(runs).hasValue(1);
    }

    @Test
    void aResultThatCannotBeWrittenDoesNotRunAgain() {
        Operation<CodecCases.Failing> fail = Operation.of("order.place", codec(CodecCases.Failing.class));
        CodecCases.Failing value = new CodecCases.Failing();

        assertThat(first(fail, counted(value))).isEqualTo(new Outcome.Succeeded<>(value, false));
        assertThat(second(fail, counted(value)))
                .isEqualTo(new Outcome.Tombstone<>(
                        "a result of type dev.semel.jackson.cases.CodecCases$Failing cannot be stored as JSON:"
                                + " java.lang.IllegalStateException"));
        assertThat(runs).hasValue(1);
    }

    @Test
    void theDetailsOfARejectionAreReplayed() {
        Operation<PlacedOrder> place = Operation.of("order.place", codec(PlacedOrder.class));
        Shortage shortage = new Shortage(new BigDecimal("5.00"), List.of("card", "cash"));
        Work<PlacedOrder> work = run -> {
            runs.incrementAndGet();
            return run.reject("INSUFFICIENT_FUNDS", shortage);
        };

        assertThat(rejection(first(place, work)).details(Shortage.class)).contains(shortage);
        Rejection replayed = rejection(second(place, work));
        assertThat(replayed.code()).isEqualTo("INSUFFICIENT_FUNDS");
        assertThat(replayed.details(Shortage.class)).contains(shortage);
        assertThat(replayed.storedDetails())
                .isNotNull()
                .satisfies(stored ->
                        assertThat(stored.text()).isEqualTo("{\"missing\":5.00,\"accepted\":[\"card\",\"cash\"]}"));
        assertThat(runs).hasValue(1);
    }

    @Test
    void textAsDetailsIsReplayed() {
        Operation<PlacedOrder> place = Operation.of("order.place", codec(PlacedOrder.class));

        first(place, run -> run.reject("CLOSED", "until Monday"));

        assertThat(rejection(second(place, counted(null))).details(String.class))
                .contains("until Monday");
    }

    private static Rejection rejection(Outcome<PlacedOrder> outcome) {
        assertThat(outcome).isInstanceOf(Outcome.Rejected.class);
        return ((Outcome.Rejected<PlacedOrder>) outcome).rejection();
    }

    private <T> Work<T> counted(@Nullable T value) {
        return run -> {
            runs.incrementAndGet();
            return value;
        };
    }

    private <T> Outcome<T> first(Operation<T> operation, Work<T> work) {
        return semel.execute(operation, operation.key("acme", "order-17"), work);
    }

    private <T> Outcome<T> second(Operation<T> operation, Work<T> work) {
        return other.execute(operation, operation.key("acme", "order-17"), work);
    }

    /** Details of a rejection. */
    public record Shortage(BigDecimal missing, List<String> accepted) {}
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import static dev.semel.TestEngine.CHARGE;
import static dev.semel.TestEngine.KEY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.semel.claim.Status;
import dev.semel.claim.StoredResult;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@EngineTest
class RejectionTest {
    private static final Operation<String> TRANSFER = CHARGE.withDetails(new Shortages());

    @AutoClose
    private final TestEngine engine = new TestEngine();

    private final AtomicInteger runs = new AtomicInteger();
    private final Work<String> refusing = run -> {
        runs.incrementAndGet();
        return run.reject("INSUFFICIENT_FUNDS", new Shortage(5));
    };

    record Shortage(int missing) {}

    /** Stores a shortage as its number. */
    private static final class Shortages implements DetailsCodec {
        @Override
        public StoredResult encode(Object details) {
            String missing = Integer.toString(((Shortage) details).missing());
            return new StoredResult("test/shortage", missing.getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public <D> D decode(StoredResult stored, Class<D> type) {
            return type.cast(new Shortage(Integer.parseInt(stored.text())));
        }
    }

    private static Rejection rejection(Outcome<String> outcome, boolean replayed) {
        assertThat(outcome).isInstanceOf(Outcome.Rejected.class);
        Outcome.Rejected<String> rejected = (Outcome.Rejected<String>) outcome;
        assertThat(rejected.replayed()).isEqualTo(replayed);
        return rejected.rejection();
    }

    @Test
    void everyCallerReceivesTheSameCodeAndDetails() {
        Rejection first = rejection(engine.execute(TRANSFER, refusing), false);
        Rejection second = rejection(engine.execute(TRANSFER, refusing), true);

        assertThat(second).isEqualTo(first).hasToString(first.toString());
        assertThat(first.code()).isEqualTo("INSUFFICIENT_FUNDS");
        assertThat(first.details(Shortage.class)).contains(new Shortage(5));
        assertThat(second.details(Shortage.class)).contains(new Shortage(5));
        assertThat(runs).hasValue(1);
    }

    @Test
    void anotherProcessReadsItFromTheStore() {
        engine.execute(TRANSFER, refusing);
        assertThat(engine.stored().status()).isEqualTo(Status.FAILED);
        assertThat(engine.stored().reason()).isEqualTo("rejected: INSUFFICIENT_FUNDS");

        try (Semel other = Semel.on(engine.store)
                .secrets(engine.semel.secrets())
                .withoutReplayCache()
                .build()) {
            Rejection read = rejection(other.execute(TRANSFER, KEY, refusing), true);
            assertThat(read.details(Shortage.class)).contains(new Shortage(5));
        }
        assertThat(runs).hasValue(1);
    }

    @Test
    void asynchronousWorkRejectsToo() {
        Outcome<String> outcome = TestEngine.get(engine.semel.executeAsync(
                CHARGE, KEY, run -> CompletableFuture.supplyAsync(() -> run.reject("CLOSED"))));

        assertThat(rejection(outcome, false).details(String.class)).isEmpty();
        assertThat(rejection(engine.execute(CHARGE, refusing), true).code()).isEqualTo("CLOSED");
    }

    @Test
    void theRejectionCountsWhateverIsReturned() {
        Outcome<String> outcome = engine.execute(CHARGE, run -> {
            run.<String>reject("CLOSED", "until Monday");
            return "receipt";
        });

        assertThat(rejection(outcome, false).details(String.class)).contains("until Monday");
    }

    @Test
    void workThatThrowsAfterRejectingFails() {
        Outcome<String> outcome = engine.execute(CHARGE, run -> {
            run.<String>reject("CLOSED");
            throw new IllegalStateException("rolled back");
        });

        assertThat(outcome).isInstanceOf(Outcome.Retryable.class);
        assertThat(engine.execute(CHARGE, run -> "receipt")).isEqualTo(new Outcome.Succeeded<>("receipt", false));
    }

    @Test
    void inShadowTheDuplicateRejectsByItself() {
        Operation<String> shadow = TRANSFER.inShadow();
        rejection(engine.execute(shadow, refusing), false);
        rejection(engine.execute(shadow, refusing), false);

        assertThat(runs).hasValue(2);
    }

    @Test
    void detailsThatCannotBeStoredLoseNothingElse() {
        engine.execute(CHARGE, refusing);
        Rejection stored = rejection(engine.execute(CHARGE, refusing), true);

        assertThat(stored.code()).isEqualTo("INSUFFICIENT_FUNDS");
        assertThatIllegalStateException()
                .isThrownBy(() -> stored.details(Shortage.class))
                .withMessageContaining("were not kept");
        assertThat(runs).hasValue(1);
    }

    @Test
    void detailsOfAnotherTypeAreAnErrorThatSaysWhatIsStored() {
        Rejection stored = rejection(engine.execute(TRANSFER, refusing), false);

        assertThatIllegalStateException()
                .isThrownBy(() -> stored.details(Integer.class))
                .withMessageContaining("cannot be read as java.lang.Integer: they are stored as test/shortage");
    }

    @Test
    void itIsAnExceptionForCallersWhoWantOne() {
        assertThatExceptionOfType(NotDoneException.Rejected.class)
                .isThrownBy(() -> engine.execute(TRANSFER, refusing).orElseThrow())
                .withMessage("It was rejected: INSUFFICIENT_FUNDS")
                .satisfies(thrown ->
                        assertThat(thrown.rejection().details(Shortage.class)).isEqualTo(Optional.of(new Shortage(5))));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, Rejection.MAX_CODE})
    void codesOfEveryLengthAreReplayed(int length) {
        String code = "C".repeat(length);
        engine.execute(CHARGE, run -> run.reject(code, "d".repeat(65_536)));

        Rejection stored = rejection(engine.execute(CHARGE, refusing), true);
        assertThat(stored.code()).isEqualTo(code);
        assertThat(stored.details(String.class)).contains("d".repeat(65_536));
    }

    @Test
    void detailsThatAreTooLargeAreNotKept() {
        engine.execute(CHARGE, run -> run.reject("CLOSED", "d".repeat(Rejection.MAX_DETAILS + 1)));

        Rejection stored = rejection(engine.execute(CHARGE, refusing), true);
        assertThat(stored.code()).isEqualTo("CLOSED");
        assertThatIllegalStateException()
                .isThrownBy(() -> stored.details(String.class))
                .withMessageContaining("at most 65536 are stored");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "two words", "caf\u00e9", "line\nbreak"})
    void anInvalidCodeIsAnErrorOfTheWork(String code) {
        Outcome<String> outcome = engine.execute(CHARGE, run -> run.reject(code));

        assertThat(outcome)
                .isInstanceOfSatisfying(
                        Outcome.Retryable.class,
                        failed -> assertThat(failed.cause()).isInstanceOf(IllegalArgumentException.class));
    }

    @Test
    void aCodeThatIsTooLongIsAnErrorOfTheWork() {
        assertThat(engine.execute(CHARGE, run -> run.reject("C".repeat(Rejection.MAX_CODE + 1))))
                .isInstanceOf(Outcome.Retryable.class);
    }
}

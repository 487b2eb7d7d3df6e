// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import static dev.semel.TestEngine.CHARGE;
import static dev.semel.TestEngine.KEY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.semel.claim.AliasedKey;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.RecordId;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

@EngineTest
class CallObserverTest {
    /** Notes what begins, is entered, left and ended. If it is broken, it also throws. */
    private static final class Notes implements CallObserver {
        private final List<String> notes = new CopyOnWriteArrayList<>();
        private final boolean broken;

        Notes(boolean broken) {
            this.broken = broken;
        }

        private void note(String what) {
            notes.add(what);
            if (broken) {
                throw new IllegalStateException(what);
            }
        }

        @Override
        public Observation begin(Step step, String scope) {
            if (step == Step.EXECUTE) {
                notes.add(scope);
                return new Noted(step);
            }
            note("begin " + step);
            return new Noted(step);
        }

        @Override
        public Executor keepingContext(Executor executor) {
            if (broken) {
                throw new IllegalStateException("keepingContext");
            }
            return executor;
        }

        private final class Noted implements Observation {
            private final Step step;

            Noted(Step step) {
                this.step = step;
            }

            @Override
            public Observation begin(Step child) {
                notes.add(step + " > " + child);
                return new Noted(child);
            }

            @Override
            public Current enter() {
                note("enter " + step);
                return () -> note("leave " + step);
            }

            @Override
            public void end(ClaimEvent.@Nullable Kind outcome, int attempt, @Nullable Throwable failure) {
                note("end %s %s %d %s".formatted(step, outcome, attempt, failure));
            }
        }
    }

    @Test
    void seesACallFromBeginningToEnd() {
        Notes notes = new Notes(false);
        try (TestEngine engine = new TestEngine(builder -> builder.observer(notes))) {
            engine.execute(CHARGE, run -> {
                notes.note("work");
                return "receipt";
            });
        }

        assertThat(notes.notes)
                .containsExactly(
                        "card.charge",
                        "EXECUTE > CLAIM",
                        "end CLAIM GRANTED 1 null",
                        "EXECUTE > RUN",
                        "enter RUN",
                        "work",
                        "end RUN SUCCEEDED 1 null",
                        "leave RUN",
                        "EXECUTE > SETTLE",
                        "end SETTLE SUCCEEDED 1 null",
                        "end EXECUTE SUCCEEDED 0 null");
    }

    @Test
    void seesWorkThatJoinsTheCallersTransaction() {
        Notes notes = new Notes(false);
        CallerTransactions joining = new CallerTransactions() {
            @Override
            public boolean isActive() {
                return true;
            }

            @Override
            public <T extends @Nullable Object> Outcome<T> execute(
                    Operation<T> operation, AliasedKey key, Fingerprint fingerprint, Work<T> work) {
                try {
                    return new Outcome.Succeeded<>(
                            work.run(new ShadowContext(RecordId.random(), operation.rejecting())), false);
                } catch (Exception e) {
                    return new Outcome.Retryable<>(e);
                }
            }
        };
        try (TestEngine engine =
                new TestEngine(builder -> builder.observer(notes).callerTransactions(joining))) {
            engine.execute(CHARGE.joinTransaction(), run -> "receipt");
        }

        assertThat(notes.notes)
                .contains("EXECUTE > RUN", "enter RUN", "leave RUN", "end EXECUTE SUCCEEDED 0 null")
                .doesNotContain("EXECUTE > CLAIM");
    }

    @Test
    void aBrokenObserverChangesNothing() {
        try (TestEngine engine = new TestEngine(builder -> builder.observer(new Notes(true)))) {
            assertThat(engine.execute(CHARGE, run -> "receipt")).isEqualTo(new Outcome.Succeeded<>("receipt", false));
            assertThat(TestEngine.get(engine.semel.executeAsync(
                            CHARGE, KEY, run -> CompletableFuture.completedFuture("receipt"))))
                    .isEqualTo(new Outcome.Succeeded<>("receipt", true));
            assertThat(TestEngine.get(engine.semel.claim(KEY, Fingerprint.NONE, CHARGE.terms(), Duration.ZERO)))
                    .isInstanceOf(ClaimOutcome.Succeeded.class);
            assertThatExceptionOfType(AssertionError.class)
                    .isThrownBy(() -> engine.semel.execute(CHARGE, CHARGE.key("acme", "other"), run -> {
                        throw new AssertionError("the work's own");
                    }));
        }
    }

    @Test
    void withoutAnObserverAStageStaysTheSame() {
        CompletionStage<String> stage = new CompletableFuture<>();
        try (TestEngine engine = new TestEngine()) {
            assertThat(engine.semel.inCallersContext(stage)).isSameAs(stage);
        }
    }
}

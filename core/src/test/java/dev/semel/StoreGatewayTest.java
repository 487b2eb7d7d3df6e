// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.semel.claim.ASnapshot;
import dev.semel.claim.OwnerToken;
import dev.semel.claim.StoreException;
import dev.semel.claim.StoreException.Kind;
import dev.semel.lane.DaemonThreads;
import dev.semel.lane.Workers;
import dev.semel.memory.MemoryClaimStore;
import dev.semel.spi.Command;
import dev.semel.spi.Verdict;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@EngineTest
class StoreGatewayTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Command RENEW = new Command.Renew(ASnapshot.REF, OwnerToken.random(), Duration.ofMinutes(1));
    private static final Verdict NO_CLAIM = new Verdict.Refused(null);

    private final ObservedStore store = new ObservedStore(new MemoryClaimStore());
    private final Workers workers = Workers.fixed("test-store", 1);
    private final ScheduledThreadPoolExecutor timer = DaemonThreads.timer("test-timer");
    private final StoreGateway gateway = new StoreGateway(store, workers, timer);

    @AfterEach
    void close() {
        timer.shutdownNow();
        workers.end(Duration.ZERO);
    }

    @Test
    void sendsTheSameCommandAgainUntilItsFateIsKnown() {
        failing(2, () -> new StoreException(Kind.UNREACHABLE, "connection lost"));

        assertThat(TestEngine.get(gateway.submit(RENEW, LONG, null))).isEqualTo(NO_CLAIM);
        assertThat(store.commands()).containsExactly(RENEW, RENEW, RENEW);
    }

    @Test
    void sendsACommandAgainThatFoundTheStoreBusy() {
        failing(1, () -> new StoreException(Kind.BUSY, "locked"));

        assertThat(TestEngine.get(gateway.submit(RENEW, LONG, null))).isEqualTo(NO_CLAIM);
    }

    /** A defect of the store says nothing about the command, and repeating is safe. */
    @ParameterizedTest
    @MethodSource("unannounced")
    void sendsACommandAgainAfterAFailureThatTheStoreDidNotAnnounce(Throwable failure) {
        failing(2, () -> failure);

        assertThat(TestEngine.get(gateway.submit(RENEW, LONG, null))).isEqualTo(NO_CLAIM);
        assertThat(TestEngine.get(gateway.submitAll(List.of(RENEW), LONG))).containsExactly(NO_CLAIM);
        assertThat(store.commands()).containsExactly(RENEW, RENEW, RENEW, RENEW);
    }

    @ParameterizedTest
    @MethodSource("unannounced")
    void sendsManyAgainAfterAFailureThatTheStoreDidNotAnnounce(Throwable failure) {
        failing(1, () -> failure);

        assertThat(TestEngine.get(gateway.submitAll(List.of(RENEW), LONG))).containsExactly(NO_CLAIM);
    }

    static Stream<Throwable> unannounced() {
        return Stream.of(
                new IllegalStateException("bug"), new InternalError("no memory"), new SQLException("thrown unchecked"));
    }

    @Test
    void doesNotRepeatWhatWasRejected() {
        StoreException rejected = new StoreException(Kind.REJECTED, "no such column");
        failing(1, () -> rejected);

        assertFailsWith(gateway.submit(RENEW, LONG, null), rejected);
        assertThat(store.commands()).hasSize(1);
    }

    @Test
    void pausesEverLongerAndStopsBeforeItsTimeIsOver() {
        StoreException busy = new StoreException(Kind.BUSY, "locked");
        failing(1_000, () -> busy);

        assertFailsWith(gateway.submit(RENEW, Duration.ofMillis(400), null), busy);

        // With jitter the pauses are at least 5, 10, 20, 40 and 80 ms, and the next might end after the 400 ms.
        assertThat(store.commands()).hasSizeBetween(2, 6);
    }

    @Test
    void doesNotRepeatAnythingWithoutTime() {
        StoreException busy = new StoreException(Kind.BUSY, "locked");
        failing(1, () -> busy);

        assertFailsWith(gateway.submit(RENEW, Duration.ZERO, null), busy);
        assertThat(store.commands()).hasSize(1);
    }

    @Test
    void readsTheSameWay() {
        AtomicInteger failures = new AtomicInteger(1);
        store.beforeRead(() -> {
            if (failures.getAndDecrement() > 0) {
                throw new StoreException(Kind.BUSY, "locked");
            }
        });

        assertThat(TestEngine.get(gateway.read(ASnapshot.REF, LONG, null))).isEmpty();
        assertThat(store.reads()).isEqualTo(2);
    }

    @Test
    void saysOfAnyOtherFailureThatItIsNotKnown() {
        RuntimeException bug = new IllegalStateException("bug");
        failing(1, () -> bug);

        assertThatThrownBy(gateway.submit(RENEW, Duration.ZERO, null)::join)
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.UNREACHABLE))
                .hasMessage("The store failed unexpectedly: java.lang.IllegalStateException: bug")
                .hasCause(bug);
    }

    @Test
    void answersWithinABoundWhileTheCallGoesOn() {
        CompletableFuture<String> call = new CompletableFuture<>();

        CompletableFuture<String> answer = gateway.answeredWithin(Duration.ofMillis(20), call);

        assertThatThrownBy(answer::join)
                .cause()
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.UNREACHABLE))
                .hasMessage("The store did not answer in time");
        assertThat(call).isNotDone();
    }

    @Test
    void forgetsTheBoundOnceThereIsAnAnswer() {
        CompletableFuture<String> call = new CompletableFuture<>();
        CompletableFuture<String> answer = gateway.answeredWithin(LONG, call);
        assertThat(timer.getQueue()).hasSize(1);

        call.complete("answer");

        assertThat(answer).isCompletedWithValue("answer");
        await().until(() -> timer.getQueue().isEmpty());
    }

    @Test
    void needsNoTimerForAnAnswerThatIsThere() {
        timer.shutdownNow();

        assertThat(gateway.answeredWithin(LONG, CompletableFuture.completedFuture("answer")))
                .isCompletedWithValue("answer");
    }

    @Test
    void failsAtOnceOnceItIsClosed() {
        timer.shutdownNow();
        gateway.close();

        assertThatThrownBy(gateway.answeredWithin(LONG, new CompletableFuture<>())::join)
                .cause()
                .hasMessage("Semel is closed");
    }

    @Test
    void answersThoseWhoStillWaitWhenItCloses() {
        timer.shutdownNow();
        CompletableFuture<String> call = new CompletableFuture<>();
        CompletableFuture<String> answered = gateway.answeredWithin(LONG, call);
        CompletableFuture<String> open = gateway.answeredWithin(LONG, new CompletableFuture<>());
        call.complete("answer");

        gateway.close();

        assertThat(answered).isCompletedWithValue("answer");
        assertThatThrownBy(open::join).cause().hasMessage("Semel is closed");
    }

    @Test
    void failsInsteadOfWaitingForATimerThatIsClosed() {
        timer.shutdownNow();
        failing(1, () -> new StoreException(Kind.BUSY, "locked"));

        assertThatThrownBy(gateway.submit(RENEW, LONG, null)::join).cause().hasMessage("Semel is closed");
    }

    private void failing(int times, Supplier<? extends Throwable> failure) {
        store.beforeCommand(command -> {
            if (store.commands().size() <= times) {
                throwAny(failure.get());
            }
        });
    }

    /** A driver may throw what the compiler does not expect. */
    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void throwAny(Throwable failure) throws T {
        throw (T) failure;
    }

    private static void assertFailsWith(CompletableFuture<?> future, StoreException expected) {
        assertThatThrownBy(future::join)
                .isInstanceOf(CompletionException.class)
                .cause()
                .isSameAs(expected);
    }
}

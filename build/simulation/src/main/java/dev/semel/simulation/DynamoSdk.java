// SPDX-License-Identifier: Apache-2.0
package dev.semel.simulation;

import dev.semel.claim.StoreException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.awscore.exception.AwsServiceException;

/**
 * The SDK of a process: sends a request again if there is no answer in time, or if the answer is an error of the server or a
 * throttled request. An earlier attempt may still take effect.
 */
final class DynamoSdk implements DynamoClient.Sender {
    private static final long MILLI = 1_000_000;

    /** How often a process talks to the same server. */
    private static final double LOYAL = 0.85;

    private final Scheduler scheduler;
    private final SimulatedProcess process;
    private final Network network;
    private final Dice dice;
    private final DynamoSettings settings;
    private final SimulatedTable server;
    private final int home;
    private final Supplier<Boolean> mayBeSuspended;

    /** @param mayBeSuspended whether nothing that the process relies on depends on its clock at this moment */
    DynamoSdk(
            Scheduler scheduler,
            SimulatedProcess process,
            Network network,
            Dice dice,
            DynamoSettings settings,
            SimulatedTable server,
            Supplier<Boolean> mayBeSuspended) {
        this.scheduler = scheduler;
        this.process = process;
        this.network = network;
        this.dice = dice;
        this.settings = settings;
        this.server = server;
        this.home = dice.between(0, settings.ahead().size());
        this.mayBeSuspended = mayBeSuspended;
    }

    @Override
    public <A> CompletableFuture<A> send(AwsRequestOverrideConfiguration limits, Function<DynamoOrigin, A> request) {
        Call<A> call = new Call<>(limits, request);
        if (network.isFaulty() && process.isRunning() && dice.chance(settings.suspensions()) && mayBeSuspended.get()) {
            // Between making the request, with the times in it, and sending it.
            process.suspend(dice.spread(200 * MILLI, 12_000 * MILLI));
        }
        scheduler.after(0, process, call::attempt);
        return call.answer;
    }

    /** An answer of a server. */
    private record Answer<A>(@Nullable A value, @Nullable AwsServiceException error, long at) {}

    private final class Call<A> {
        private final Function<DynamoOrigin, A> request;
        private final CompletableFuture<A> answer = new CompletableFuture<>();
        private final long made = scheduler.now();
        private final long attemptTimeout;
        private int attempts;
        private final Scheduler.Event end;
        private Scheduler.@Nullable Event attemptEnd;

        Call(AwsRequestOverrideConfiguration limits, Function<DynamoOrigin, A> request) {
            this.request = request;
            this.attemptTimeout = limits.apiCallAttemptTimeout().orElseThrow().toNanos();
            this.end = scheduler.after(
                    limits.apiCallTimeout().orElseThrow().toNanos(),
                    process,
                    () -> ended(null, DynamoAnswers.silence(attempts)));
        }

        void attempt() {
            if (answer.isDone()) {
                return;
            }
            int number = ++attempts;
            DynamoOrigin origin = new DynamoOrigin(
                    process,
                    made,
                    number,
                    dice.chance(LOYAL) ? home : dice.between(0, settings.ahead().size()));
            attemptEnd = scheduler.after(attemptTimeout, process, () -> again(number, DynamoAnswers.silence(number)));
            network.send(
                    process, () -> answered(origin), said -> arrived(number, said), failure -> failed(origin, failure));
        }

        private Answer<A> answered(DynamoOrigin origin) {
            try {
                return new Answer<>(request.apply(origin), null, scheduler.now());
            } catch (AwsServiceException e) {
                return new Answer<>(null, e, scheduler.now());
            }
        }

        private void arrived(int number, Answer<A> said) {
            if (number != attempts || answer.isDone()) {
                return;
            }
            if (said.at < process.resumedAt()) {
                // The connection was lost while the host was suspended.
                again(number, DynamoAnswers.silence(number));
            } else if (said.error != null && isRepeated(said.error)) {
                again(number, said.error);
            } else {
                process.heard();
                ended(said.value, said.error);
            }
        }

        private static boolean isRepeated(AwsServiceException error) {
            return error.statusCode() >= 500
                    || error.awsErrorDetails().errorCode().startsWith("Provisioned");
        }

        /** What the network does to the calls of every store, as this SDK sees it. */
        private void failed(DynamoOrigin origin, Throwable failure) {
            int number = origin.attempt();
            if (number != attempts || answer.isDone()) {
                return;
            }
            if (!(failure instanceof StoreException known)) {
                again(number, server.answers().error("InternalServerError", 500, origin));
            } else if (known.kind() == StoreException.Kind.BUSY) {
                again(number, server.answers().error("ProvisionedThroughputExceededException", 400, origin));
            } else {
                again(number, DynamoAnswers.silence(number));
            }
        }

        private void again(int number, RuntimeException failure) {
            if (number != attempts || answer.isDone()) {
                return;
            }
            if (attemptEnd != null) {
                attemptEnd.cancel();
            }
            if (number >= settings.attempts()) {
                ended(null, failure);
            } else {
                scheduler.after(dice.spread(MILLI, 100 * MILLI), process, this::attempt);
            }
        }

        private void ended(@Nullable A value, @Nullable RuntimeException failure) {
            end.cancel();
            if (attemptEnd != null) {
                attemptEnd.cancel();
            }
            if (failure == null) {
                answer.complete(value);
            } else {
                answer.completeExceptionally(failure);
            }
        }
    }
}

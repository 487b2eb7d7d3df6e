// SPDX-License-Identifier: Apache-2.0
package dev.semel.operations;

import dev.semel.Claim;
import dev.semel.ClaimOutcome;
import dev.semel.Semel;
import dev.semel.SemelBuilder;
import dev.semel.claim.AliasedKey;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.Terms;
import dev.semel.key.Secret;
import dev.semel.key.Secrets;
import dev.semel.payload.json.Json;
import dev.semel.spi.ClaimStore;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** One process with an engine on a store, and operations, steps and payments on it. */
final class TestProcess implements AutoCloseable {
    static final Secret OLD = Secret.of("0123456789abcdef0123456789abcdef");
    static final Secret FRESH = Secret.of("another secret of more than 32 bytes");

    final Semel semel;
    final Operations operations;
    final Steps steps;
    final Payments payments;

    private TestProcess(Semel semel) {
        this.semel = semel;
        this.operations = Operations.on(semel);
        this.steps = Steps.on(semel);
        this.payments = Payments.on(semel);
    }

    /** A process without a replay cache: every replay comes from the store, whose clock a test may move. */
    static TestProcess on(ClaimStore store) {
        return on(store, Secrets.of(OLD));
    }

    static TestProcess on(ClaimStore store, Secrets secrets) {
        return on(store, secrets, SemelBuilder::withoutReplayCache);
    }

    static TestProcess on(ClaimStore store, Secrets secrets, UnaryOperator<SemelBuilder> settings) {
        SemelBuilder builder = Semel.on(store).secrets(secrets).withoutSweep();
        return new TestProcess(settings.apply(builder).build());
    }

    /** Claims a key like a process that then dies. */
    Claim claimAndDie(AliasedKey key, Terms terms) {
        ClaimOutcome outcome = get(semel.claim(key, Fingerprint.NONE, terms, Duration.ZERO));
        return ((ClaimOutcome.Granted) outcome).claim();
    }

    static <T> CompletableFuture<T> inBackground(Supplier<T> call) {
        return CompletableFuture.supplyAsync(call, task -> new Thread(task, "background").start());
    }

    /** Waits for the value of the stage. Fails the test if it takes too long. */
    static <T> T get(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().get(30, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError("The stage has no value", e);
        }
    }

    @Override
    public void close() {
        semel.close();
    }

    /** Starts an operation in the background, which runs until the test completes the future. */
    CompletableFuture<OperationResult<Json>> begin(OperationRequest request, CompletableFuture<Json> end) {
        CompletableFuture<Void> begun = new CompletableFuture<>();
        CompletableFuture<OperationResult<Json>> result =
                inBackground(() -> operations.withIdempotency(request, run -> {
                    begun.complete(null);
                    return get(end);
                }));
        get(begun);
        return result;
    }
}

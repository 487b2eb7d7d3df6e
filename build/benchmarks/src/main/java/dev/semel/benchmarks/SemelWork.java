// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import dev.semel.Codec;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.Semel;
import dev.semel.SemelBuilder;
import dev.semel.key.Secrets;
import dev.semel.spi.ClaimStore;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.UnaryOperator;

/** Semel as an application uses it: claim, minimal work, settle with a small result. */
final class SemelWork implements AutoCloseable {
    private static final Operation<String> OPERATION = Operation.of("bench", Codec.text());

    private final Semel semel;
    private final MeasuredKeys keys = new MeasuredKeys();

    SemelWork(ClaimStore store) {
        this(store, builder -> builder);
    }

    SemelWork(ClaimStore store, UnaryOperator<SemelBuilder> settings) {
        SemelBuilder builder = Semel.on(store)
                .secrets(Secrets.of("0123456789abcdef0123456789abcdef"))
                // Completions are short here. Another thread for each would measure the change of threads.
                .callbackExecutor(Runnable::run)
                .withoutSweep();
        this.semel = settings.apply(builder).build();
    }

    /** Sweeps, and returns the number of deleted rows. */
    CompletableFuture<Long> sweep() {
        return semel.sweep().thenApply(report -> (long) report.deleted()).toCompletableFuture();
    }

    void firstTime(long number) {
        require(semel.execute(OPERATION, OPERATION.key("bench", keys.firstTime(number)), run -> "a result"), false);
    }

    CompletionStage<?> firstTimeAsync(long number) {
        return async(keys.firstTime(number));
    }

    /** Settles this many keys, for later duplicates. */
    void settle(int count) {
        CompletableFuture<?>[] all = new CompletableFuture<?>[count];
        for (int i = 0; i < count; i++) {
            all[i] = async(keys.settledNumber(i)).toCompletableFuture();
            if (i % 500 == 499) {
                CompletableFuture.allOf(java.util.Arrays.copyOfRange(all, i - 499, i + 1))
                        .join();
            }
        }
        CompletableFuture.allOf(all).join();
    }

    /** Nine of ten calls are duplicates of settled keys. */
    CompletionStage<?> mostlyDuplicates(long number, int settled) {
        boolean duplicate = ThreadLocalRandom.current().nextInt(10) > 0;
        return async(duplicate ? keys.settled(settled) : keys.firstTime(number));
    }

    private CompletionStage<?> async(String key) {
        return semel.executeAsync(
                        OPERATION, OPERATION.key("bench", key), run -> CompletableFuture.completedFuture("a result"))
                .thenAccept(outcome -> outcome.orElseThrow());
    }

    private static void require(Outcome<String> outcome, boolean replayed) {
        if (!outcome.equals(new Outcome.Succeeded<>("a result", replayed))) {
            throw new IllegalStateException("Unexpected: " + outcome);
        }
    }

    @Override
    public void close() {
        semel.close();
    }
}

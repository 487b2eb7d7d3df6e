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
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/** Semel as an application uses it: claim, minimal work, settle with a result of 300 bytes. */
final class SemelWork implements AutoCloseable {
    private static final Operation<String> OPERATION = Operation.of("bench", Codec.text());
    private static final int TOGETHER = 500;

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
        require(call(keys.firstTime(number)), false);
    }

    CompletionStage<?> firstTimeAsync(long number) {
        return async(keys.firstTime(number));
    }

    /** Settles this many keys, for later duplicates. */
    void settle(int count) {
        for (int from = 0; from < count; from += TOGETHER) {
            CompletableFuture.allOf(IntStream.range(from, Math.min(count, from + TOGETHER))
                            .mapToObj(
                                    number -> async(keys.settledNumber(number)).toCompletableFuture())
                            .toArray(CompletableFuture[]::new))
                    .join();
        }
    }

    /** A duplicate of one of this many settled keys. */
    void duplicate(int settled) {
        require(call(keys.settled(settled)), true);
    }

    /** Nine of ten calls are duplicates of settled keys. */
    void mostlyDuplicates(long number, int settled) {
        boolean duplicate = MeasuredKeys.isDuplicate();
        require(call(duplicate ? keys.settled(settled) : keys.firstTime(number)), duplicate);
    }

    /** As {@link #mostlyDuplicates}, without blocking. */
    CompletionStage<?> mostlyDuplicatesAsync(long number, int settled) {
        return async(MeasuredKeys.isDuplicate() ? keys.settled(settled) : keys.firstTime(number));
    }

    private Outcome<String> call(String key) {
        return semel.execute(OPERATION, OPERATION.key("bench", key), run -> MeasuredResult.TEXT);
    }

    private CompletionStage<?> async(String key) {
        return semel.executeAsync(
                        OPERATION,
                        OPERATION.key("bench", key),
                        run -> CompletableFuture.completedFuture(MeasuredResult.TEXT))
                .thenAccept(outcome -> outcome.orElseThrow());
    }

    private static void require(Outcome<String> outcome, boolean replayed) {
        if (!outcome.equals(new Outcome.Succeeded<>(MeasuredResult.TEXT, replayed))) {
            throw new IllegalStateException("Unexpected: " + outcome);
        }
    }

    @Override
    public void close() {
        semel.close();
    }
}

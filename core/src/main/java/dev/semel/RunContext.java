// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** What the work can learn about the claim under which it runs. */
public interface RunContext {
    /**
     * The number of this attempt, from 1. Above 1, an earlier attempt may have had its effect. Attempts that were given back
     * before they ran do not count, so two attempts can have the same number: guard writes with {@link #fence}.
     */
    int attempt();

    /**
     * A number that grows with every acquisition of this key. Store it with what the work changes and refuse a smaller
     * one: then a late owner cannot overwrite its successor.
     */
    long fence();

    /**
     * A key for a downstream call: the same on every attempt, a different one for every name. If the called service honours it,
     * the effect happens once even if an attempt died half-way.
     */
    String childKey(String name);

    /**
     * Ends the work with a business rejection, which is stored and replayed like a result: {@code return
     * run.reject("INSUFFICIENT_FUNDS", new Shortage(5));}. Nothing is thrown and nothing is rolled back. The outcome is {@link
     * Outcome.Rejected}, whatever the work returns afterwards.
     *
     * @param code 1 to 64 visible ASCII characters
     * @param details more about it, which duplicates receive too, at most 64 KiB; text, or any type if the operation has a JSON
     *     codec
     * @return nothing that may be used; it only makes the {@code return} possible
     */
    @SuppressWarnings("TypeParameterUnusedInFormals") // It stands for the work's result in a return statement.
    <T extends @Nullable Object> T reject(String code, @Nullable Object details);

    /** As {@link #reject(String, Object)}, without details. */
    @SuppressWarnings("TypeParameterUnusedInFormals") // As above.
    default <T extends @Nullable Object> T reject(String code) {
        return reject(code, null);
    }

    /** The time left of the lease as far as this process knows; it grows with every renewal. */
    Duration leaseLeft();

    /**
     * Asks the store whether this attempt still owns the claim. Also false if the store does not answer. Blocks for one round
     * trip, so do not call it on an event loop.
     */
    boolean stillMine();

    /** As {@link #stillMine()}, without blocking. */
    CompletionStage<Boolean> stillMineAsync();

    /**
     * Calls back, at most once and on the engine's callback executor, when ownership was lost or when the lease ended because
     * no renewal succeeded.
     */
    void onLost(Runnable callback);
}

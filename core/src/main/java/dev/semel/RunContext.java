// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** What the work may know about the claim that it runs under. */
public interface RunContext {
    /**
     * Which run this is, from 1. Above 1 an earlier run may have had its effect. Attempts that were given back before they
     * ran do not count, so two attempts can have the same number: guard decisions by {@link #fence}.
     */
    int attempt();

    /**
     * A number that grows with every acquisition of this key. Write it beside what the work changes, and refuse a
     * smaller one, and a late owner cannot overwrite its successor.
     */
    long fence();

    /**
     * A key for a call downstream: the same on every attempt, another one for every name. If the service called
     * honours it, the effect happens once even when an attempt died half-way.
     */
    String childKey(String name);

    /** What is left of the lease as far as this process knows; grows with every renewal. */
    Duration leaseLeft();

    /**
     * Asks the store whether this attempt still owns the claim. False also if the store does not answer: then it is
     * not known. Blocks for one round trip; do not call it on an event loop.
     */
    boolean stillMine();

    /** As {@link #stillMine()}, without blocking. */
    CompletionStage<Boolean> stillMineAsync();

    /**
     * Calls back, at most once and on the engine's callback executor, when ownership was lost, or when the lease ended
     * because no renewal got through.
     */
    void onLost(Runnable callback);
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.dynamodb;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** Random pauses before something is tried again: by the JDK's timer, or by that of a simulation. */
@FunctionalInterface
interface DynamoPauses {
    DynamoPauses SYSTEM = longestMillis -> {
        int pause = ThreadLocalRandom.current().nextInt(1 + longestMillis);
        Executor later = CompletableFuture.delayedExecutor(pause, TimeUnit.MILLISECONDS);
        return CompletableFuture.runAsync(() -> {}, later);
    };

    /** Ends after a random time of up to this many milliseconds. */
    CompletableFuture<Void> upTo(int longestMillis);
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** Work that runs until the test ends it. */
final class HeldWork implements Work<String> {
    private final CompletableFuture<RunContext> started = new CompletableFuture<>();
    private final CompletableFuture<String> end = new CompletableFuture<>();

    @Override
    public String run(RunContext context) throws Exception {
        started.complete(context);
        try {
            return end.get(20, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw (Exception) e.getCause();
        }
    }

    /** Waits until the work runs. */
    RunContext context() {
        return TestEngine.get(started);
    }

    void finish(String value) {
        end.complete(value);
    }

    void fail(Exception failure) {
        end.completeExceptionally(failure);
    }
}

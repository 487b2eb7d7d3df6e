// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Runs tasks only when the test says so, and on the test's thread. */
final class QueuedExecutor implements Executor {
    private final BlockingQueue<Runnable> queue = new LinkedBlockingQueue<>();

    @Override
    public void execute(Runnable task) {
        queue.add(task);
    }

    int size() {
        return queue.size();
    }

    /** Waits for the next task and runs it here. */
    void runNext() throws InterruptedException {
        Runnable task = queue.poll(20, TimeUnit.SECONDS);
        if (task == null) {
            throw new AssertionError("The executor received no task");
        }
        task.run();
    }

    /** Runs tasks here until the stage is complete. */
    void runUntilDone(CompletionStage<?> stage) throws InterruptedException {
        while (!stage.toCompletableFuture().isDone()) {
            runNext();
        }
    }
}

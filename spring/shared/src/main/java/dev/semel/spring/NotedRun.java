// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring;

import dev.semel.RunContext;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The same run, which remembers whether it was rejected. For methods with a primitive result, which cannot return null. */
final class NotedRun implements RunContext {
    private final RunContext run;
    private volatile boolean rejected;

    NotedRun(RunContext run) {
        this.run = run;
    }

    boolean isRejected() {
        return rejected;
    }

    @Override
    @SuppressWarnings("TypeParameterUnusedInFormals") // See RunContext.
    public <T extends @Nullable Object> T reject(String code, @Nullable Object details) {
        T nothing = run.reject(code, details);
        rejected = true;
        return nothing;
    }

    @Override
    public int attempt() {
        return run.attempt();
    }

    @Override
    public long fence() {
        return run.fence();
    }

    @Override
    public String childKey(String name) {
        return run.childKey(name);
    }

    @Override
    public Duration leaseLeft() {
        return run.leaseLeft();
    }

    @Override
    public boolean stillMine() {
        return run.stillMine();
    }

    @Override
    public CompletionStage<Boolean> stillMineAsync() {
        return run.stillMineAsync();
    }

    @Override
    public void onLost(Runnable callback) {
        run.onLost(callback);
    }
}

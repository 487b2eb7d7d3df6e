// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** For work inside the caller's transaction, which owns the claim until it ends: there is no lease that could end. */
record TransactionContext(Claim claim) implements RunContext {
    @Override
    public int attempt() {
        return claim.attempt();
    }

    @Override
    public long fence() {
        return claim.fence();
    }

    @Override
    public String childKey(String name) {
        return claim.childKey(name);
    }

    @Override
    public Duration leaseLeft() {
        return claim.terms().lease();
    }

    @Override
    public boolean stillMine() {
        return true;
    }

    @Override
    public CompletionStage<Boolean> stillMineAsync() {
        return CompletableFuture.completedFuture(true);
    }

    @Override
    public void onLost(Runnable callback) {
        // Lost is only what rolls back, and then the work's changes are lost with it.
    }
}

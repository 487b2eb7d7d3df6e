// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The context of work inside the caller's transaction. The transaction owns the claim until it ends, so there is no lease. */
record TransactionContext(Claim claim, Rejecting rejecting) implements RunContext {
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
    @SuppressWarnings("TypeParameterUnusedInFormals") // See RunContext.
    public <T extends @Nullable Object> T reject(String code, @Nullable Object details) {
        return rejecting.reject(code, details);
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
        // The claim is lost only by a rollback, which also undoes the changes of the work.
    }
}

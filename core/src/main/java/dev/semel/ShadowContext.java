// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.claim.RecordId;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The context of a duplicate that runs because its operation is in shadow mode. It owns nothing. */
record ShadowContext(RecordId record, Rejecting rejecting) implements RunContext {
    @Override
    public int attempt() {
        return 1;
    }

    @Override
    public long fence() {
        return 0;
    }

    @Override
    public String childKey(String name) {
        return record.childKey(name);
    }

    @Override
    @SuppressWarnings("TypeParameterUnusedInFormals") // See RunContext.
    public <T extends @Nullable Object> T reject(String code, @Nullable Object details) {
        return rejecting.reject(code, details);
    }

    @Override
    public Duration leaseLeft() {
        return Duration.ZERO;
    }

    @Override
    public boolean stillMine() {
        return false;
    }

    @Override
    public CompletionStage<Boolean> stillMineAsync() {
        return CompletableFuture.completedFuture(false);
    }

    @Override
    public void onLost(Runnable callback) {
        // Nothing was owned, so nothing can be lost.
    }
}

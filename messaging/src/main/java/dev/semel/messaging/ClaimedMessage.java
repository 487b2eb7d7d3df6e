// SPDX-License-Identifier: Apache-2.0
package dev.semel.messaging;

import dev.semel.Claim;
import dev.semel.RunContext;
import java.util.function.UnaryOperator;

/** A message of a batch, and what the handler can learn about its claim. */
public final class ClaimedMessage<M> {
    private final M message;
    private final int attempt;
    private final long fence;
    private final UnaryOperator<String> childKeys;

    private ClaimedMessage(M message, int attempt, long fence, UnaryOperator<String> childKeys) {
        this.message = message;
        this.attempt = attempt;
        this.fence = fence;
        this.childKeys = childKeys;
    }

    static <M> ClaimedMessage<M> of(M message, Claim claim) {
        return new ClaimedMessage<>(message, claim.attempt(), claim.fence(), claim::childKey);
    }

    static <M> ClaimedMessage<M> of(M message, RunContext run) {
        return new ClaimedMessage<>(message, run.attempt(), run.fence(), run::childKey);
    }

    public M message() {
        return message;
    }

    /** The number of this attempt, from 1. Above 1, an earlier attempt may have had its effect. */
    public int attempt() {
        return attempt;
    }

    /** A number that grows with every acquisition of the message's key: see {@link RunContext#fence}. */
    public long fence() {
        return fence;
    }

    /** A key for a downstream call: the same on every attempt, a different one for every name. */
    public String childKey(String name) {
        return childKeys.apply(name);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.messaging;

import dev.semel.RunContext;

/** Processes one message. It runs on the caller's thread, under the message's claim. */
@FunctionalInterface
public interface MessageHandler<M> {
    /**
     * Processes the message. If it returns, the message is done. If it throws, the message is redelivered, until the attempts
     * are exhausted. With {@link RunContext#reject} the message is done too.
     *
     * @param run send {@code run.childKey(name)} with every effect outside the database of the claims: each attempt sends the
     *     same
     */
    void handle(M message, RunContext run) throws Exception;
}

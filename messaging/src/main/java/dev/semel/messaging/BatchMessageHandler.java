// SPDX-License-Identifier: Apache-2.0
package dev.semel.messaging;

import java.util.List;

/** Processes several messages at once. It runs on the caller's thread, under the claims of all of them. */
@FunctionalInterface
public interface BatchMessageHandler<M> {
    /**
     * Processes these messages, none of which was processed before. If it returns, all of them are done. If it throws {@link
     * BatchFailedAtException}, those before the named one are done, that one failed, and the rest was not begun. If it throws
     * another exception, all of them failed, and each is then redelivered in a batch of its own, to find the one that fails.
     *
     * @param messages in their order, at least one, each key once
     */
    void handle(List<ClaimedMessage<M>> messages) throws Exception;
}

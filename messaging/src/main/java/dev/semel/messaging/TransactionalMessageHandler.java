// SPDX-License-Identifier: Apache-2.0
package dev.semel.messaging;

import dev.semel.RunContext;
import java.sql.Connection;

/** Processes one message in the transaction of its claim: what it writes on the connection is committed exactly once. */
@FunctionalInterface
public interface TransactionalMessageHandler<M> {
    /** Processes the message. Do not commit, roll back or close the connection. If it throws, its writes are undone. */
    void handle(M message, Connection connection, RunContext run) throws Exception;
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.messaging;

/** Where messages go that are given up: a dead-letter topic, a table, a person's inbox. */
@FunctionalInterface
public interface DeadLetterSink<M> {
    /**
     * Keeps the message. Return only once it is stored durably: the message is then acknowledged. If this throws, the message
     * is redelivered and passed to the sink again, with the same {@link DeadLetter#id}.
     */
    void accept(M message, DeadLetter letter) throws Exception;
}

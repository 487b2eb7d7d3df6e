// SPDX-License-Identifier: Apache-2.0
package dev.semel.http;

import java.util.function.Supplier;

/** The reply to the client. */
public sealed interface ApiReply {
    /** This answer. */
    record Answer(ApiAnswer answer) implements ApiReply {}

    /**
     * The stored answer.
     *
     * @param bytes the size of its stored form
     * @param answer reads the answer, which takes about twice as much memory. Call it once.
     */
    record Replay(int bytes, Supplier<ApiAnswer> answer) implements ApiReply {}

    /** The attempt has already streamed its answer to the client. */
    record Streamed() implements ApiReply {}

    /** The attempt failed with this exception, and the key is released. The HTTP framework creates the answer. */
    record Threw(Throwable failure) implements ApiReply {}
}

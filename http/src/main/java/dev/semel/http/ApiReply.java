// SPDX-License-Identifier: Apache-2.0
package dev.semel.http;

import java.util.function.Supplier;

/** What the client gets. */
public sealed interface ApiReply {
    /** This answer. */
    record Answer(ApiAnswer answer) implements ApiReply {}

    /**
     * The answer that was stored.
     *
     * @param bytes how large it is as it is stored
     * @param answer reads it, which takes about twice as much memory; call it once
     */
    record Replay(int bytes, Supplier<ApiAnswer> answer) implements ApiReply {}

    /** Nothing more: the attempt streamed its answer. */
    record Streamed() implements ApiReply {}

    /** Whatever the framework makes of this failure of the attempt. The key is released. */
    record Threw(Throwable failure) implements ApiReply {}
}

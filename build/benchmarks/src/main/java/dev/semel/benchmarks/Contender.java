// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import java.util.concurrent.CompletionStage;

/** One way to do a piece of work, which many callers use concurrently. */
sealed interface Contender {
    String name();

    /** How many pieces of work a call does. */
    default int pieces() {
        return 1;
    }

    /** Each caller is a thread that blocks. */
    record Blocking(String name, BlockingCall call) implements Contender {}

    /** Each caller is a chain of callbacks: the next call starts when the previous one is done. */
    record Async(String name, AsyncCall call, int pieces) implements Contender {
        Async(String name, AsyncCall call) {
            this(name, call, 1);
        }
    }

    /** One call; {@code number} is different for every call of a measurement. */
    interface BlockingCall {
        void run(long number) throws Exception;
    }

    /** One call; {@code number} is different for every call of a measurement. */
    interface AsyncCall {
        CompletionStage<?> start(long number);
    }
}

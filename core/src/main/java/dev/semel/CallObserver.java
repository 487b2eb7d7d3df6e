// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Observes the calls of an engine from beginning to end, for tracing: see {@link SemelBuilder#observer}. A {@link
 * ClaimListener} only hears of single events, and cannot tell which of them belong to one call.
 *
 * <p>It is called on callers' and on the engine's threads and must not block. Exceptions are logged.
 */
public interface CallObserver {
    /** A call begins. Called on the caller's thread, so the caller's context is the current one. */
    Observation begin(Step step, String scope);

    /** An executor that runs its tasks in the context that is current on the calling thread now. */
    Executor keepingContext(Executor executor);

    /** What is observed. */
    enum Step {
        /** A whole call of {@link Semel#execute}, {@link Semel#executeAsync} or {@link Semel#executeOnCaller}. */
        EXECUTE,
        /** A claim, from the question to its answer, including the wait for a running owner. */
        CLAIM,
        /** The work, from its start until its stage ends. */
        RUN,
        /** The settlement of a claim. */
        SETTLE
    }

    /** A step that has begun. It may end on another thread. */
    interface Observation {
        /** A step within this one begins, on any thread. */
        Observation begin(Step step);

        /** Makes this step the current one of the calling thread, until the result is closed on the same thread. */
        Current enter();

        /**
         * The step has ended.
         *
         * @param outcome how it ended; null if it threw, or if it was about several claims with different outcomes
         * @param attempt the attempt; 0 if it is not known
         * @param failure the exception, if there was one
         */
        void end(ClaimEvent.@Nullable Kind outcome, int attempt, @Nullable Throwable failure);
    }

    /** The time in which a step is the current one of its thread. */
    interface Current extends AutoCloseable {
        @Override
        void close();
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring;

import dev.semel.RunContext;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The run of the {@link Idempotent} method on this thread: child keys for calls to other services, the fence, rejections.
 *
 * <pre>{@code
 * bank.charge(order, CurrentRun.get().childKey("charge"));
 * }</pre>
 *
 * <p>It is bound to the calling thread while the method runs. A method that returns a future gets it before it starts other
 * threads.
 */
public final class CurrentRun {
    private static final ThreadLocal<RunContext> RUNNING = new ThreadLocal<>();

    private CurrentRun() {}

    /**
     * The run of the innermost {@link Idempotent} method on this thread.
     *
     * @throws IllegalStateException if none is running
     */
    public static RunContext get() {
        return find().orElseThrow(() -> new IllegalStateException(
                "No @Idempotent method is running on this thread: call CurrentRun.get() inside one, on the thread that it was"
                        + " called on, and through the bean's proxy"));
    }

    /** As {@link #get}, empty if none is running. */
    public static Optional<RunContext> find() {
        return Optional.ofNullable(RUNNING.get());
    }

    static <T extends @Nullable Object> T during(RunContext run, Body<T> body) throws Throwable {
        RunContext outer = RUNNING.get();
        RUNNING.set(run);
        try {
            return body.run();
        } finally {
            if (outer == null) {
                RUNNING.remove();
            } else {
                RUNNING.set(outer);
            }
        }
    }

    interface Body<T extends @Nullable Object> {
        T run() throws Throwable;
    }
}

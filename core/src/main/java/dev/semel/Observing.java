// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.CallObserver.Step;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** The application's observer, if there is one. */
final class Observing {
    private final @Nullable CallObserver observer;

    Observing(@Nullable CallObserver observer) {
        this.observer = observer;
    }

    boolean isOff() {
        return observer == null;
    }

    Observed begin(Step step, String scope) {
        CallObserver known = observer;
        return known == null ? Observed.NOTHING : Observed.begun(() -> known.begin(step, scope));
    }

    /** An executor that runs its tasks in the context that the calling thread has now. */
    Executor keepingContext(Executor executor) {
        if (observer == null) {
            return executor;
        }
        try {
            return observer.keepingContext(executor);
        } catch (RuntimeException | LinkageError e) {
            Observed.warn(e);
            return executor;
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.claim.ClaimRef;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Refuses a key that the current thread is already running: the inner call would wait for the outer one and never end.
 * Every digest of a claim counts, because any of them leads to the same record.
 */
final class NestingGuard {
    /** Not static: another engine may run the same key on this thread. Null while the thread runs nothing. */
    @SuppressWarnings("ThreadLocalUsage")
    private final ThreadLocal<@Nullable Set<ClaimRef>> running = new ThreadLocal<>();

    /**
     * Checks a call before it claims.
     *
     * @param refs all digests of the call; the first one is named in the message
     * @throws IllegalStateException if the current thread is running one of them
     */
    void requireNotRunning(String scope, Collection<ClaimRef> refs) {
        Set<ClaimRef> current = running.get();
        if (current != null && refs.stream().anyMatch(current::contains)) {
            throw new IllegalStateException(
                    "This thread is already running the key (scope %s, digest %s): a key nested in itself can never finish;"
                                    .formatted(scope, refs.iterator().next().digest())
                            + " use another key for the inner call");
        }
    }

    /** Marks these digests as running on the current thread until the result is closed. */
    Running enter(Collection<ClaimRef> refs) {
        Set<ClaimRef> current = running.get();
        if (current == null) {
            current = new HashSet<>();
            running.set(current);
        }
        List<ClaimRef> entered = new ArrayList<>(refs.size());
        for (ClaimRef ref : refs) {
            // In shadow mode an outer call may run it already; it still does when the inner one ends.
            if (current.add(ref)) {
                entered.add(ref);
            }
        }
        return () -> leave(entered);
    }

    private void leave(List<ClaimRef> entered) {
        Set<ClaimRef> current = running.get();
        if (current != null) {
            entered.forEach(current::remove);
            if (current.isEmpty()) {
                running.remove();
            }
        }
    }

    /** Whether the current thread runs nothing and this guard holds no memory for it. */
    boolean isIdle() {
        return running.get() == null;
    }

    /** Digests that are marked as running; close it on the same thread. */
    interface Running extends AutoCloseable {
        @Override
        void close();
    }
}

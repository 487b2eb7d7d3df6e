// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import java.util.concurrent.atomic.AtomicLong;

/** How many bytes of bodies may be in memory at once: thousands of clients, each within its own bound, are too many. */
final class BodyBudget {
    private final long most;
    private final AtomicLong taken = new AtomicLong();

    BodyBudget(long most) {
        this.most = most;
    }

    /** Whether there is room for so many more, which are taken if there is. */
    boolean take(long bytes) {
        if (taken.addAndGet(bytes) <= most) {
            return true;
        }
        taken.addAndGet(-bytes);
        return false;
    }

    void giveBack(long bytes) {
        taken.addAndGet(-bytes);
    }
}

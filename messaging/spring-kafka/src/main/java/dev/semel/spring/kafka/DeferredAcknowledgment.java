// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.kafka;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.support.Acknowledgment;

/**
 * What a listener with manual acknowledgment receives. It keeps the listener's decision until the claim is settled, because a
 * record that is acknowledged first would be lost to deduplication if the process died in between. After that it passes calls
 * on.
 */
final class DeferredAcknowledgment implements Acknowledgment {
    private final Acknowledgment container;
    private boolean settled;
    private boolean acknowledged;
    private @Nullable Duration nackSleep;
    private int nackIndex;

    DeferredAcknowledgment(Acknowledgment container) {
        this.container = container;
    }

    /** The container's own acknowledgment. */
    Acknowledgment container() {
        return container;
    }

    @Override
    public void acknowledge() {
        synchronized (this) {
            if (!settled) {
                acknowledged = true;
                return;
            }
        }
        container.acknowledge();
    }

    @Override
    public void nack(Duration sleep) {
        nack(0, sleep);
    }

    @Override
    public synchronized void nack(int index, Duration sleep) {
        if (settled) {
            throw new IllegalStateException("The record is done: a listener can call nack only before it returns");
        }
        nackIndex = index;
        nackSleep = sleep;
    }

    /** Called before each call of the listener. One batch can need several, and each decides for its own records. */
    synchronized void begin() {
        nackSleep = null;
        nackIndex = 0;
    }

    @Override
    public boolean isOutOfOrderCommit() {
        return container.isOutOfOrderCommit();
    }

    /** How long to sleep if the listener called {@code nack}; otherwise null. */
    synchronized @Nullable Duration nackSleep() {
        return nackSleep;
    }

    synchronized int nackIndex() {
        return nackIndex;
    }

    /** The claim is settled by this listener's call. The record is acknowledged if the listener said so, now or later. */
    void settled() {
        boolean now;
        synchronized (this) {
            settled = true;
            now = acknowledged;
        }
        if (now) {
            container.acknowledge();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.lane;

import java.util.concurrent.CompletableFuture;

/** An entry that waits for its batch or was sent, and the future of its answer. Compared by identity. */
final class LaneEntry<E, R> extends CompletableFuture<R> {
    private final Lanes<E, R> lanes;
    private final E value;
    private final Object key;
    private final long bytes;
    private final boolean apart;
    private final long submitted;

    /** Set before the entry is sent, so that completing its answer needs no lock. */
    private volatile boolean sent;

    /** @param submitted when it was submitted, in {@link Environment#nanoTime}; 0 if nobody wants to know */
    LaneEntry(Lanes<E, R> lanes, Batching<? super E> batching, E value, long submitted) {
        this.lanes = lanes;
        this.value = value;
        this.key = batching.key().apply(value);
        this.bytes = batching.bytes().applyAsLong(value);
        this.apart = batching.apart().test(value);
        this.submitted = submitted;
    }

    E value() {
        return value;
    }

    Object key() {
        return key;
    }

    long bytes() {
        return bytes;
    }

    boolean isApart() {
        return apart;
    }

    long submitted() {
        return submitted;
    }

    void sent() {
        sent = true;
    }

    @Override
    public boolean cancel(boolean mayInterrupt) {
        return lanes.remove(this) && super.cancel(false);
    }

    @Override
    public boolean complete(R answer) {
        remove();
        return super.complete(answer);
    }

    @Override
    public boolean completeExceptionally(Throwable failure) {
        remove();
        return super.completeExceptionally(failure);
    }

    private void remove() {
        if (!sent) {
            lanes.remove(this);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.testkit;

import dev.semel.claim.StoreException;
import java.util.concurrent.CountDownLatch;

/** Hanging calls wait here. Once opened, it stays open. */
final class FaultGate {
    private final CountDownLatch opened = new CountDownLatch(1);

    void open() {
        opened.countDown();
    }

    void pass() {
        try {
            opened.await();
        } catch (InterruptedException e) {
            // Like a driver whose thread is interrupted during a call: the outcome of the call is unknown.
            Thread.currentThread().interrupt();
            throw new StoreException(StoreException.Kind.UNREACHABLE, "Interrupted while waiting for the store", e);
        }
    }
}

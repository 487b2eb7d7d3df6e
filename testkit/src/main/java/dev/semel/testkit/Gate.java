// SPDX-License-Identifier: Apache-2.0
package dev.semel.testkit;

import dev.semel.claim.StoreException;
import java.util.concurrent.CountDownLatch;

/** Where hanging calls wait. Once opened it stays open. */
final class Gate {
    private final CountDownLatch opened = new CountDownLatch(1);

    void open() {
        opened.countDown();
    }

    void pass() {
        try {
            opened.await();
        } catch (InterruptedException e) {
            // What a driver does when its thread is interrupted in a call: the fate of the call is not known.
            Thread.currentThread().interrupt();
            throw new StoreException(StoreException.Kind.UNREACHABLE, "Interrupted while waiting for the store", e);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.spi;

import dev.semel.claim.StoreException;

/**
 * A number that is stored with the claims and only grows. It is part of every cache key. After an operator has changed claims
 * and advanced the epoch, no process finds entries that were cached before.
 */
public interface CacheEpoch {
    /**
     * The current epoch.
     *
     * @throws StoreException if the store does not answer
     */
    long current();

    /**
     * Begins a new epoch and returns it. It is greater than all earlier ones, even if the database was restored from an older
     * copy: it is at least the microseconds of the store's clock.
     *
     * @throws StoreException if it is unknown whether the epoch has begun; advancing again is safe
     */
    long advance();
}

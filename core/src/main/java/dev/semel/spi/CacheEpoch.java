// SPDX-License-Identifier: Apache-2.0
package dev.semel.spi;

import dev.semel.claim.StoreException;

/**
 * A number that lives with the claims and only grows. What caches keep, they keep under it: once somebody has changed
 * claims behind their back and advanced it, nothing that was cached before is found any more, in any process.
 */
public interface CacheEpoch {
    /**
     * The epoch as of now.
     *
     * @throws StoreException if the store does not answer
     */
    long current();

    /**
     * Begins a new epoch and says which. It is greater than every one before, also than those that a database forgot
     * because it was restored from an older copy: it is at least the microseconds of the store's clock.
     *
     * @throws StoreException if it is not known whether it has begun; advancing again does no harm
     */
    long advance();
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.http;

import dev.semel.claim.ClaimRef;

/** Receives the places in which a request differs from the one that first used its key. It must not block. */
public interface ConflictListener {
    /**
     * A key was used for another request.
     *
     * @param pointers JSON pointers separated by commas, without values; empty if the places are not known
     */
    void onConflict(ClaimRef ref, String pointers);
}

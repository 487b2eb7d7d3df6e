// SPDX-License-Identifier: Apache-2.0
package dev.semel.key;

/**
 * How a claim is held. The mode is part of the digest, so that a leased claim and a claim inside the caller's transaction
 * never lock the same row.
 */
public enum ClaimMode {
    /** Claim and settlement are separate commits, with a lease in between. */
    LEASED(1),
    /** Claim, effect and result are one commit of the caller. */
    TRANSACTIONAL(2);

    private final byte tag;

    ClaimMode(int tag) {
        this.tag = (byte) tag;
    }

    byte[] tag() {
        return new byte[] {tag};
    }
}

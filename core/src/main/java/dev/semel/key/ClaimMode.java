// SPDX-License-Identifier: Apache-2.0
package dev.semel.key;

/**
 * How a claim is held. Part of the digest, so that a claim inside a user's transaction and a leased one never wait for
 * each other's row.
 */
public enum ClaimMode {
    /** Claim and settlement are commits of their own, with a lease in between. */
    LEASED(1),
    /** Claim, effect and result are one commit of the caller's. */
    TRANSACTIONAL(2);

    private final byte tag;

    ClaimMode(int tag) {
        this.tag = (byte) tag;
    }

    byte[] tag() {
        return new byte[] {tag};
    }
}

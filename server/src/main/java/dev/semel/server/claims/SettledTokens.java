// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.claims;

import dev.semel.claim.OwnerToken;
import java.nio.ByteBuffer;

/**
 * Recent tokens that settled a claim on this instance. A token settles once. A repeated settlement stores nothing and does
 * not count against the tenant's limit.
 *
 * <p>Each token has one place; a later token with the same place replaces it. The places are numbers, which the garbage
 * collector does not visit.
 */
final class SettledTokens {
    private static final int PLACES = 1 << 15;

    private final long[] places = new long[2 * PLACES];

    synchronized void add(OwnerToken token) {
        ByteBuffer bytes = ByteBuffer.wrap(token.bytes());
        int place = place(bytes);
        places[place] = bytes.getLong(0);
        places[place + 1] = bytes.getLong(Long.BYTES);
    }

    synchronized boolean contains(OwnerToken token) {
        ByteBuffer bytes = ByteBuffer.wrap(token.bytes());
        int place = place(bytes);
        return places[place] == bytes.getLong(0) && places[place + 1] == bytes.getLong(Long.BYTES);
    }

    /** Tokens are random. */
    private static int place(ByteBuffer token) {
        return 2 * ((int) token.getLong(0) & (PLACES - 1));
    }
}

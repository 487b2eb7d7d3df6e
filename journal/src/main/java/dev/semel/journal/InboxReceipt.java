// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal;

import dev.semel.claim.Digest;
import dev.semel.claim.StoredResult;
import java.nio.ByteBuffer;
import java.util.UUID;

/**
 * What an event's claim holds: enough to tell whoever sends it again.
 *
 * @param written whether it is in the inbox; otherwise its payment was known
 * @param id the id it has, or would have, in the inbox
 * @param payload SHA-256 of its body
 */
record InboxReceipt(boolean written, UUID id, Digest payload) {
    private static final String TYPE = "semel/inbox";
    private static final int LENGTH = 1 + 2 * Long.BYTES + Digest.LENGTH;

    InboxReceipt unwritten() {
        return new InboxReceipt(false, id, payload);
    }

    StoredResult stored() {
        return new StoredResult(
                TYPE,
                ByteBuffer.allocate(LENGTH)
                        .put((byte) (written ? 1 : 0))
                        .putLong(id.getMostSignificantBits())
                        .putLong(id.getLeastSignificantBits())
                        .put(payload.bytes())
                        .array());
    }

    /** @throws IllegalArgumentException if somebody else settled the claim, with something else */
    static InboxReceipt of(StoredResult stored) {
        if (!stored.type().equals(TYPE) || stored.size() != LENGTH) {
            throw new IllegalArgumentException("This is no receipt of the inbox");
        }
        ByteBuffer bytes = ByteBuffer.wrap(stored.bytes());
        boolean written = bytes.get() == 1;
        UUID id = new UUID(bytes.getLong(), bytes.getLong());
        byte[] payload = new byte[Digest.LENGTH];
        bytes.get(payload);
        return new InboxReceipt(written, id, new Digest(payload));
    }
}

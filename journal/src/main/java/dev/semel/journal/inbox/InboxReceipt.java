// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.inbox;

import dev.semel.claim.Digest;
import dev.semel.claim.StoredResult;
import java.nio.ByteBuffer;
import java.util.UUID;

/**
 * The result of an event's claim. It holds what the answer to a duplicate needs.
 *
 * @param written whether the event was written to the inbox; otherwise its payment was known
 * @param id the id that the event has, or would have, in the inbox
 * @param payload SHA-256 of the body
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

    /** @throws IllegalArgumentException if the claim was settled with something else than a receipt */
    static InboxReceipt of(StoredResult stored) {
        if (!stored.type().equals(TYPE) || stored.size() != LENGTH) {
            throw new IllegalArgumentException("The claim's result is not a receipt of the inbox");
        }
        ByteBuffer bytes = ByteBuffer.wrap(stored.bytes());
        boolean written = bytes.get() == 1;
        UUID id = new UUID(bytes.getLong(), bytes.getLong());
        byte[] payload = new byte[Digest.LENGTH];
        bytes.get(payload);
        return new InboxReceipt(written, id, new Digest(payload));
    }
}

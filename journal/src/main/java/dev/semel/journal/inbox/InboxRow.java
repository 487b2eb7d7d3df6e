// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.inbox;

import dev.semel.claim.ClaimRef;
import dev.semel.journal.rows.GroupRow;
import dev.semel.journal.rows.RowValues;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** An encrypted event that is to be written. It does not change between attempts. */
final class InboxRow implements GroupRow {
    private final InboxReceipt receipt;
    private final InboxEntry entry;
    private final ClaimRef claim;
    private final byte @Nullable [] headers;
    private final byte[] body;

    /**
     * @param claim the event's claim
     * @param headers encrypted; null if there are none
     * @param body encrypted
     */
    InboxRow(InboxReceipt receipt, InboxEntry entry, ClaimRef claim, byte @Nullable [] headers, byte[] body) {
        this.receipt = receipt;
        this.entry = entry;
        this.claim = claim;
        this.headers = headers;
        this.body = body;
    }

    InboxEntry entry() {
        return entry;
    }

    InboxReceipt receipt() {
        return receipt;
    }

    @Override
    public Object key() {
        return claim;
    }

    @Override
    public long size() {
        return 1_024L + body.length + (headers == null ? 0 : headers.length);
    }

    UUID id() {
        return receipt.id();
    }

    RowValues values() {
        return RowValues.none()
                .put("id", id().toString())
                .put("tenant", entry.tenant())
                .put("provider", entry.provider())
                .put("event_type", entry.eventType())
                .put("key_hash", claim.digest().bytes())
                .put("key_prefix", entry.keys().shown(claim.digest()))
                .put("content_type", entry.body().mediaType())
                .put("verified", entry.verified())
                .put("payload_hash", receipt.payload().bytes())
                .put("headers", headers)
                .put("body", body);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal;

import dev.semel.claim.ClaimRef;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** An event on its way to the inbox, sealed. It stays the same however often it is sent. */
final class InboxRow implements GroupRow {
    private final InboxReceipt receipt;
    private final InboxEntry entry;
    private final ClaimRef claim;
    private final byte @Nullable [] headers;
    private final byte[] body;

    /**
     * @param claim what it is claimed by
     * @param headers sealed; null without any
     * @param body sealed
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

    Values values() {
        return Values.none()
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

// SPDX-License-Identifier: Apache-2.0
package dev.semel.dynamodb;

import static dev.semel.dynamodb.DynamoValues.bytes;
import static dev.semel.dynamodb.DynamoValues.number;
import static dev.semel.dynamodb.DynamoValues.text;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Digest;
import dev.semel.internal.Sha256;
import dev.semel.spi.HistoryEntry;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Entries of the history as items. An entry is listed with its claim. A decision is stored a second time, listed with its tenant. The
 * index of due rows has parts of their own for entries, by which old ones are found.
 */
final class DynamoEntry {
    /** Parts of the index of due rows that the sweep of claims does not read. */
    static final int DUE_ENTRIES = 16;

    static final int DUE_DECISIONS = 17;
    static final int DUE_REPLAYS = 18;

    private static final int HASH = 16;
    private static final byte CLAIMS = 64;
    private static final byte TENANTS = 65;
    private static final byte REPLAYS = 66;
    private static final byte[] PREFIX = "semel_history".getBytes(StandardCharsets.US_ASCII);

    /** The keys of entries are longer than those of claims, of chunks and of jobs without a name. */
    private static final int PADDED = 48;

    private DynamoEntry() {}

    /** The partition of a claim's entries. */
    static AttributeValue ofClaim(ClaimRef ref) {
        byte[] tenant = ref.tenant().getBytes(StandardCharsets.UTF_8);
        return partition(Sha256.of(ref.digest().bytes(), tenant), CLAIMS);
    }

    /** The partition of the decisions about a tenant's claims. */
    static AttributeValue ofTenant(String tenant) {
        return partition(Sha256.of(tenant.getBytes(StandardCharsets.UTF_8)), TENANTS);
    }

    private static AttributeValue partition(byte[] hash, byte kind) {
        return bytes(ByteBuffer.allocate(HASH + 1).put(hash, 0, HASH).put(kind).array());
    }

    static Map<String, AttributeValue> keyOf(AttributeValue partition, long id) {
        byte[] part = partition.b().asByteArrayUnsafe();
        return Map.of(
                DynamoRow.KEY,
                bytes(ByteBuffer.allocate(PADDED + part.length + Long.BYTES)
                        .put(PREFIX)
                        .position(PADDED)
                        .put(part)
                        .putLong(id)
                        .array()));
    }

    /** The key of the number of a claim's replays. */
    static Map<String, AttributeValue> replaysOf(ClaimRef ref) {
        byte[] tenant = ref.tenant().getBytes(StandardCharsets.UTF_8);
        return keyOf(partition(Sha256.of(ref.digest().bytes(), tenant), REPLAYS), 0);
    }

    static Map<String, AttributeValue> item(AttributeValue partition, HistoryEntry entry, long id, long at) {
        ClaimRef ref = entry.ref();
        Map<String, AttributeValue> item = new HashMap<>(keyOf(partition, id));
        item.put(DynamoListing.PARTITION, partition);
        item.put(
                DynamoListing.POSITION,
                bytes(DynamoListing.position(id, ref.digest().bytes())));
        item.put("tenant", text(ref.tenant()));
        item.put("entry_of", bytes(ref.digest().bytes()));
        item.put("scope", text(entry.scope()));
        item.put("kind", text(entry.kind().name()));
        item.put("fence", number(entry.fence()));
        item.put("attempt_count", number(entry.attempt()));
        item.put("entry_id", number(id));
        item.put("created_at", number(at));
        if (entry.actor() != null) {
            item.put("actor", text(entry.actor()));
        }
        if (entry.reason() != null) {
            item.put("reason", text(entry.reason()));
        }
        if (entry.details() != null) {
            item.put("details", text(entry.details()));
        }
        return item;
    }

    /** The item that old entries are found by, once for each entry. */
    static Map<String, AttributeValue> due(Map<String, AttributeValue> item, HistoryEntry entry, long at) {
        item.put("due_shard", number(entry.kind().isDecision() ? DUE_DECISIONS : DUE_ENTRIES));
        item.put("due_at", number(at));
        return item;
    }

    static HistoryEntry of(Map<String, AttributeValue> item) {
        return new HistoryEntry(
                number(item, "entry_id"),
                new ClaimRef(text(item, "tenant"), new Digest(bytes(item, "entry_of"))),
                text(item, "scope"),
                HistoryEntry.Kind.valueOf(text(item, "kind")),
                number(item, "fence"),
                Math.toIntExact(number(item, "attempt_count")),
                DynamoValues.textOrNull(item, "actor"),
                DynamoValues.textOrNull(item, "reason"),
                DynamoValues.textOrNull(item, "details"),
                DynamoValues.moment(number(item, "created_at")));
    }
}

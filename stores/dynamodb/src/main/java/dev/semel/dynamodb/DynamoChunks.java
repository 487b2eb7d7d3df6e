// SPDX-License-Identifier: Apache-2.0
package dev.semel.dynamodb;

import static dev.semel.dynamodb.DynamoValues.bytes;
import static dev.semel.dynamodb.DynamoValues.number;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Digest;
import dev.semel.claim.OwnerToken;
import dev.semel.claim.StoredResult;
import dev.semel.internal.Sha256;
import dev.semel.spi.Command;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Results that are too large for the item of their claim. They are stored in chunks, which never change: their keys contain the
 * digest of owner, type and content. The chunks are written before the settlement. If the settlement loses, or its process ends,
 * they are deleted: at once, or by the sweep a day later, which finds the first chunk by its due time.
 */
final class DynamoChunks {
    /** Larger results are stored in chunks. A duplicate pays for the size of the item, though it writes nothing. */
    static final int INLINE = 4 * 1024;

    /** An item has at most 400 KB. */
    static final int SIZE = 350 * 1024;

    /** What the sweep has to know of a result. */
    private static final List<String> HEAD =
            List.of(DynamoRow.KEY, "claim_hash", "result_id", "chunk_count", "due_at", "written_at");

    private static final int ID = 16;
    private static final long ORPHANED_MICROS = TimeUnit.DAYS.toMicros(1);

    /** Large requests would delay each other beyond the limit of their time. */
    private static final int AT_ONCE = 8;

    private final DynamoCalls calls;
    private final RequestLimit large = new RequestLimit(AT_ONCE);

    DynamoChunks(DynamoCalls calls) {
        this.calls = calls;
    }

    static boolean isNeeded(StoredResult result) {
        return result.size() > INLINE;
    }

    /** Identifies a result of an owner: the same settlement, sent again, has the same id. */
    static byte[] idOf(OwnerToken owner, StoredResult result) {
        return idOf(owner, result.type(), result.bytes());
    }

    /** Whether the row has the result of this settlement, in chunks. */
    static boolean isStoredIn(DynamoRow row, Command.Settle settle) {
        byte[] id = row.resultId();
        StoredResult result = settle.result();
        return id != null && result != null && Arrays.equals(id, idOf(settle.expected(), result));
    }

    private static byte[] idOf(OwnerToken owner, String type, byte[] content) {
        byte[] name = type.getBytes(StandardCharsets.US_ASCII);
        return Arrays.copyOf(Sha256.of(owner.bytes(), new byte[] {(byte) name.length}, name, content), ID);
    }

    /**
     * Writes all chunks, the first one first: the others are found by it. Writing them again gives them another time, so that a
     * sweep that has seen the earlier ones deletes none of them.
     *
     * @return the time that they have
     */
    CompletableFuture<Long> write(ClaimRef ref, OwnerToken owner, StoredResult result) {
        byte[] id = idOf(owner, result);
        byte[] content = result.bytes();
        int count = countOf(content.length);
        return calls.time().thenCompose(now -> {
            long at = now.latest();
            Map<String, AttributeValue> head = chunk(ref, id, 0, content, at);
            head.put("claim_hash", bytes(ref.digest().bytes()));
            head.put("result_id", bytes(id));
            head.put("chunk_count", number(count));
            DynamoTransitions.due(head, ref, at + ORPHANED_MICROS);
            return large.submit(() -> calls.putAlways(head))
                    .thenCompose(any -> {
                        List<CompletableFuture<Void>> others = new ArrayList<>();
                        for (int i = 1; i < count; i++) {
                            int number = i;
                            others.add(large.submit(() -> calls.putAlways(chunk(ref, id, number, content, at))));
                        }
                        return DynamoFutures.all(others);
                    })
                    .thenApply(any -> at);
        });
    }

    private static int countOf(int size) {
        return Math.max(1, (size + SIZE - 1) / SIZE);
    }

    private static Map<String, AttributeValue> chunk(ClaimRef ref, byte[] id, int number, byte[] content, long at) {
        Map<String, AttributeValue> item = new HashMap<>(keyOf(ref.digest().bytes(), id, number));
        int from = number * SIZE;
        item.put("written_at", number(at));
        item.put("chunk", bytes(Arrays.copyOfRange(content, from, Math.min(from + SIZE, content.length))));
        return item;
    }

    private static Map<String, AttributeValue> keyOf(byte[] digest, byte[] id, int number) {
        return Map.of(
                DynamoRow.KEY,
                bytes(ByteBuffer.allocate(digest.length + id.length + Integer.BYTES)
                        .put(digest)
                        .put(id)
                        .putInt(number)
                        .array()));
    }

    /** The result of this row; empty if it is not there in full, because the claim has been changed or deleted since. */
    CompletableFuture<Optional<StoredResult>> read(DynamoRow row) {
        byte[] id = row.resultId();
        if (id == null) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        List<CompletableFuture<Map<String, AttributeValue>>> parts = new ArrayList<>();
        for (int i = 0; i < countOf(row.resultSize()); i++) {
            int number = i;
            parts.add(large.submit(() -> calls.get(keyOf(row.ref().digest().bytes(), id, number))));
        }
        return DynamoFutures.all(parts).thenApply(items -> joined(row, id, items));
    }

    private static Optional<StoredResult> joined(DynamoRow row, byte[] id, List<Map<String, AttributeValue>> items) {
        ByteBuffer content = ByteBuffer.allocate(row.resultSize());
        for (Map<String, AttributeValue> item : items) {
            AttributeValue chunk = item.get("chunk");
            SdkBytes part = chunk == null ? null : chunk.b();
            if (part == null || part.asByteArrayUnsafe().length > content.remaining()) {
                return Optional.empty();
            }
            content.put(part.asByteArrayUnsafe());
        }
        boolean whole =
                !content.hasRemaining() && Arrays.equals(id, idOf(row.token(), row.resultType(), content.array()));
        return whole ? Optional.of(new StoredResult(row.resultType(), content.array())) : Optional.empty();
    }

    /** Deletes the chunks of this row's result, if it has any. */
    CompletableFuture<Void> deleteOf(DynamoRow row) {
        byte[] id = row.resultId();
        return id == null
                ? CompletableFuture.completedFuture(null)
                : delete(row.ref().digest().bytes(), id, countOf(row.resultSize()));
    }

    CompletableFuture<Void> delete(ClaimRef ref, OwnerToken owner, StoredResult result) {
        return delete(ref.digest().bytes(), idOf(owner, result), countOf(result.size()));
    }

    /** The first chunk last: if the deletion is interrupted, the sweep finds the others by it. */
    private CompletableFuture<Void> delete(byte[] digest, byte[] id, int count) {
        List<CompletableFuture<Void>> others = new ArrayList<>();
        for (int i = 1; i < count; i++) {
            others.add(calls.deleteAlways(keyOf(digest, id, i)));
        }
        return DynamoFutures.all(others).thenCompose(any -> calls.deleteAlways(keyOf(digest, id, 0)));
    }

    /** Whether this is the key of a chunk. Only the first chunk of a result is ever due. */
    static boolean isChunk(Map<String, AttributeValue> key) {
        return bytes(key, DynamoRow.KEY).length > Digest.LENGTH;
    }

    /** The first chunks with these keys, without their content, which is large. */
    CompletableFuture<List<Map<String, AttributeValue>>> heads(List<Map<String, AttributeValue>> keys) {
        return calls.getAll(keys, HEAD);
    }

    /**
     * Checks the due first chunk of a result: it stays if the claim has this result, and is deleted otherwise, with the other
     * chunks. If they are written again meanwhile, they stay.
     */
    CompletableFuture<Void> sweep(Map<String, AttributeValue> head, ClockReading now) {
        byte[] digest = bytes(head, "claim_hash");
        byte[] id = bytes(head, "result_id");
        return calls.get(Map.of(DynamoRow.KEY, bytes(digest))).thenCompose(item -> {
            if (item.isEmpty() || !Arrays.equals(id, DynamoValues.bytesOrNull(item, "result_id"))) {
                return deleteOrphans(head, digest, id, now);
            }
            Long expires = new DynamoRow(item).expiresAt();
            DynamoUpdate still = DynamoUpdate.onlyIf("#due_at = :seen").with(":seen", number(number(head, "due_at")));
            // The sweep deletes the chunks with their claim. This is for a process that ends in between.
            DynamoUpdate later = expires == null
                    ? still.then("REMOVE #due_at, #due_shard")
                    : still.then("SET #due_at = :due")
                            .with(":due", number(Math.max(expires, now.latest()) + ORPHANED_MICROS));
            return calls.updateLarge(Map.of(DynamoRow.KEY, bytes(bytes(head, DynamoRow.KEY))), later)
                    .thenAccept(any -> {});
        });
    }

    /** Not those that were just written again. Others may be older or newer than the first one, if they were written in part only. */
    private CompletableFuture<Void> deleteOrphans(
            Map<String, AttributeValue> head, byte[] digest, byte[] id, ClockReading now) {
        DynamoUpdate old = DynamoUpdate.onlyIf("attribute_not_exists(#written_at) OR #written_at <= :old")
                .with(":old", number(now.over() - ORPHANED_MICROS / 2));
        Long written = DynamoValues.numberOrNull(head, "written_at");
        DynamoUpdate seen = written == null
                ? DynamoUpdate.onlyIf("attribute_not_exists(#written_at)")
                : DynamoUpdate.onlyIf("#written_at = :seen").with(":seen", number(written));
        List<CompletableFuture<DynamoCalls.Conditional>> others = new ArrayList<>();
        for (int i = 1; i < number(head, "chunk_count"); i++) {
            others.add(calls.delete(keyOf(digest, id, i), old));
        }
        return DynamoFutures.all(others)
                .thenCompose(any -> calls.delete(keyOf(digest, id, 0), seen))
                .thenAccept(any -> {});
    }
}

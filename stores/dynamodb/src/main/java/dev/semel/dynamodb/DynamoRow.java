// SPDX-License-Identifier: Apache-2.0
package dev.semel.dynamodb;

import static dev.semel.dynamodb.DynamoValues.bytes;
import static dev.semel.dynamodb.DynamoValues.number;
import static dev.semel.dynamodb.DynamoValues.text;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Digest;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.OwnerToken;
import dev.semel.claim.RecordId;
import dev.semel.claim.StalePolicy;
import dev.semel.claim.Status;
import dev.semel.claim.StoredResult;
import dev.semel.spi.ClaimEntry;
import dev.semel.spi.Snapshot;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** One claim as an item of the table, immutable. Its attributes have the names of the columns of the SQL stores. */
final class DynamoRow {
    /** The name of the partition key. */
    static final String KEY = "key_hash";

    /** The parts of the index of due rows. Four bits of the digest choose the part, so that no part gets all writes. */
    static final int SHARDS = 16;

    /** In the place of a TTL that does not end. The sum with any time is a valid number. */
    static final long FOREVER = 4_000_000_000_000_000_000L;

    private final Map<String, AttributeValue> item;

    DynamoRow(Map<String, AttributeValue> item) {
        this.item = Map.copyOf(item);
    }

    static Map<String, AttributeValue> keyOf(Digest digest) {
        return Map.of(KEY, bytes(digest.bytes()));
    }

    Map<String, AttributeValue> item() {
        return item;
    }

    ClaimRef ref() {
        return new ClaimRef(tenant(), new Digest(bytes(item, KEY)));
    }

    String tenant() {
        return text(item, "tenant");
    }

    OwnerToken token() {
        return new OwnerToken(bytes(item, "claim_nonce"));
    }

    Status status() {
        return Status.valueOf(text(item, "status"));
    }

    StalePolicy onStale() {
        return StalePolicy.valueOf(text(item, "on_stale"));
    }

    long fence() {
        return number(item, "fence");
    }

    int attempt() {
        return Math.toIntExact(number(item, "attempt_count"));
    }

    RecordId record() {
        return new RecordId(bytes(item, "record_id"));
    }

    String scope() {
        return text(item, "scope");
    }

    long createdAt() {
        return number(item, "created_at");
    }

    String secretId() {
        return text(item, "secret_id");
    }

    @Nullable
    Long ttl() {
        return DynamoValues.numberOrNull(item, "ttl_micros");
    }

    long leaseUntil() {
        return number(item, "lease_until");
    }

    long runUntil() {
        return number(item, "run_until");
    }

    @Nullable
    Long dueAt() {
        return DynamoValues.numberOrNull(item, "due_at");
    }

    /** When the claim was settled or parked; null if it runs. */
    @Nullable
    Long completedAt() {
        return DynamoValues.numberOrNull(item, "completed_at");
    }

    /** When the claim counts as absent; null if never. */
    @Nullable
    Long expiresAt() {
        Long expires = DynamoValues.numberOrNull(item, "expires_at");
        return expires == null || expires >= FOREVER ? null : expires;
    }

    @Nullable
    ClaimRef aliasOf() {
        byte[] digest = DynamoValues.bytesOrNull(item, "alias_of");
        return digest == null ? null : new ClaimRef(tenant(), new Digest(digest));
    }

    /** The digests of the rows that point to this one, and of some that no longer do. */
    List<Digest> pointers() {
        AttributeValue aliases = item.get("aliases");
        return aliases == null || !aliases.hasBs()
                ? List.of()
                : aliases.bs().stream()
                        .map(SdkBytes::asByteArray)
                        .map(Digest::new)
                        .toList();
    }

    /** The id of a result that is stored in chunks; null if there is none. */
    byte @Nullable [] resultId() {
        return DynamoValues.bytesOrNull(item, "result_id");
    }

    boolean hasResult() {
        return item.containsKey("result_type");
    }

    String resultType() {
        return text(item, "result_type");
    }

    int resultSize() {
        return Math.toIntExact(number(item, "result_size"));
    }

    /** The result if it is a part of the item; one that is stored in chunks is shown as omitted. */
    @Nullable
    StoredResult result() {
        if (!hasResult()) {
            return null;
        }
        byte[] inline = DynamoValues.bytesOrNull(item, "result");
        return inline == null ? StoredResult.omitted(resultSize()) : new StoredResult(resultType(), inline);
    }

    boolean isExpired(ClockReading now) {
        Long expires = expiresAt();
        return expires != null && now.isOver(expires);
    }

    boolean isLapsed(ClockReading now) {
        return status() == Status.IN_PROGRESS && now.isOver(leaseUntil());
    }

    /** Whether its lease ended a TTL ago. A claim that must be reconciled is never abandoned. */
    boolean isAbandoned(ClockReading now) {
        Long ttl = ttl();
        return isLapsed(now) && onStale() != StalePolicy.RECONCILE && ttl != null && now.isOver(leaseUntil() + ttl);
    }

    /** When the sweep next checks the row; null if never. */
    @Nullable
    Long nextDue(ClockReading now) {
        Long expires = expiresAt();
        Long ttl = ttl();
        if (expires != null || ttl == null) {
            return expires;
        }
        return (isLapsed(now) && !now.isOver(leaseUntil() + ttl) ? leaseUntil() : now.latest()) + ttl;
    }

    /** The time left of the lease by this reading, as its owner may rely on it. */
    Duration leaseLeft(long latest) {
        return status() == Status.IN_PROGRESS ? micros(Math.max(0, leaseUntil() - latest)) : Duration.ZERO;
    }

    /** @param now null while the clock is unknown: then nothing is shown as over */
    Snapshot snapshot(@Nullable ClockReading now, @Nullable StoredResult result) {
        Long expires = expiresAt();
        return new Snapshot(
                ref(),
                scope(),
                status(),
                token(),
                record(),
                fingerprint(),
                attempt(),
                fence(),
                onStale(),
                status() == Status.IN_PROGRESS ? left(now, leaseUntil()) : Duration.ZERO,
                expires == null ? null : micros(now == null ? 1 : now.leftForCaches(expires)),
                result,
                DynamoValues.textOrNull(item, "reason"),
                aliasOf());
    }

    /** @param now null while the clock is unknown: then nothing is shown as over */
    ClaimEntry entry(@Nullable ClockReading now) {
        Long completed = completedAt();
        Long expires = expiresAt();
        byte[] conflict = DynamoValues.bytesOrNull(item, "alias_conflict");
        return new ClaimEntry(
                ref(),
                scope(),
                status(),
                now != null && isLapsed(now),
                attempt(),
                fence(),
                onStale(),
                secretId(),
                DynamoValues.moment(createdAt()),
                status() == Status.IN_PROGRESS ? DynamoValues.moment(leaseUntil()) : null,
                completed == null ? null : DynamoValues.moment(completed),
                expires == null ? null : DynamoValues.moment(expires),
                hasResult() ? resultType() : null,
                hasResult() ? resultSize() : 0,
                DynamoValues.textOrNull(item, "reason"),
                conflict == null ? null : new ClaimRef(tenant(), new Digest(conflict)));
    }

    private static Duration left(@Nullable ClockReading now, long until) {
        return micros(now == null ? DynamoClock.SECOND : now.left(until));
    }

    private static Duration micros(long count) {
        return Duration.of(count, ChronoUnit.MICROS);
    }

    private Fingerprint fingerprint() {
        Fingerprint plain = new Fingerprint(bytes(item, "fingerprint"));
        byte[] sketch = DynamoValues.bytesOrNull(item, "sketch");
        return sketch == null ? plain : plain.withSketch(sketch);
    }

    /**
     * The condition that the row is in the state that was read: same owner, status, lease, acquisition and time of the settlement. A
     * settlement that is dated again has not expired any more.
     */
    DynamoUpdate unchanged() {
        DynamoUpdate same = DynamoUpdate.onlyIf("""
                        #tenant = :seen_tenant AND #claim_nonce = :seen_nonce AND #status = :seen_status
                        AND #lease_until = :seen_lease AND #fence = :seen_fence""")
                .with(Map.of(
                        ":seen_tenant", value("tenant"),
                        ":seen_nonce", value("claim_nonce"),
                        ":seen_status", value("status"),
                        ":seen_lease", value("lease_until"),
                        ":seen_fence", value("fence")));
        return same.and(
                item.containsKey("completed_at")
                        ? DynamoUpdate.onlyIf("#completed_at = :seen_end").with(":seen_end", value("completed_at"))
                        : DynamoUpdate.onlyIf("attribute_not_exists(#completed_at)"));
    }

    /** As {@link #unchanged}, and no pointer was added: a process whose clock is behind may still link one to an expired record. */
    DynamoUpdate unchangedWithPointers() {
        return item.containsKey("aliases")
                ? unchanged()
                        .and(DynamoUpdate.onlyIf("#aliases = :seen_aliases").with(":seen_aliases", value("aliases")))
                : unchanged().and(DynamoUpdate.onlyIf("attribute_not_exists(#aliases)"));
    }

    /**
     * The changes that make this row equal to another one of the same claim. The pointers are left as they are, and none may have
     * been added: DynamoDB's time to live must not delete a record that has some.
     */
    DynamoUpdate changesTo(Map<String, AttributeValue> after) {
        StringBuilder sets = new StringBuilder();
        StringBuilder removals = new StringBuilder();
        Map<String, AttributeValue> values = new HashMap<>();
        after.forEach((name, value) -> {
            if (!name.equals(KEY) && !name.equals("aliases") && !value.equals(item.get(name))) {
                sets.append(sets.isEmpty() ? " SET " : ", ").append("#%1$s = :new_%1$s".formatted(name));
                values.put(":new_" + name, value);
            }
        });
        for (String name : item.keySet()) {
            if (!name.equals("aliases") && !after.containsKey(name)) {
                removals.append(removals.isEmpty() ? " REMOVE #" : ", #").append(name);
            }
        }
        return unchangedWithPointers().then(sets + "" + removals).with(values);
    }

    private AttributeValue value(String name) {
        return Objects.requireNonNull(item.get(name), name);
    }

    @Override
    public String toString() {
        return "DynamoRow[" + ref().digest() + ", " + status() + "]";
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.dynamodb;

import static dev.semel.dynamodb.DynamoValues.bytes;
import static dev.semel.dynamodb.DynamoValues.number;
import static dev.semel.dynamodb.DynamoValues.text;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.OwnerToken;
import dev.semel.claim.RecordId;
import dev.semel.claim.StalePolicy;
import dev.semel.claim.Status;
import dev.semel.claim.StoredResult;
import dev.semel.claim.SweepReport;
import dev.semel.claim.Terms;
import dev.semel.spi.Alias;
import dev.semel.spi.Command;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The item after a command, given the item before it. */
final class DynamoTransitions {
    /** Attributes that only a settled, parked or conflicting claim has. */
    private static final List<String> OF_THE_END = List.of(
            "completed_at", "expires_at", "result_type", "result_size", "result", "result_id", "reason", "alias_of");

    private DynamoTransitions() {}

    static long micros(Duration time) {
        return Math.addExact(Math.multiplyExact(time.getSeconds(), 1_000_000L), time.getNano() / 1_000);
    }

    static Map<String, AttributeValue> inserted(Command.Insert insert, ClockReading now) {
        Map<String, AttributeValue> item =
                new HashMap<>(DynamoRow.keyOf(insert.ref().digest()));
        item.put("tenant", text(insert.ref().tenant()));
        item.put("scope", text(insert.scope()));
        item.put("secret_id", text(insert.secretId()));
        start(item, insert.ref(), insert.token(), insert.record(), insert.fingerprint(), insert.terms(), now);
        item.put("attempt_count", number(1));
        item.put("fence", number(now.latest()));
        made(item, insert.ref(), now);
        return item;
    }

    /** A free row as the record of a new claim. */
    static Map<String, AttributeValue> begun(DynamoRow free, Command.Insert insert, ClockReading now) {
        Map<String, AttributeValue> item = new HashMap<>(free.item());
        item.remove("alias_conflict");
        start(item, insert.ref(), insert.token(), insert.record(), insert.fingerprint(), insert.terms(), now);
        item.put("attempt_count", number(1));
        item.put("fence", number(Math.max(free.fence() + 1, now.latest())));
        made(item, insert.ref(), now);
        return item;
    }

    static Map<String, AttributeValue> takenOver(DynamoRow row, Command.TakeOver takeOver, ClockReading now) {
        boolean absent = row.isExpired(now) || row.aliasOf() != null;
        RecordId newLife = absent ? takeOver.record() : null;
        Map<String, AttributeValue> item = new HashMap<>(row.item());
        Terms terms = takeOver.terms().withOnStale(policyAfter(row, takeOver));
        start(
                item,
                row.ref(),
                takeOver.token(),
                newLife == null ? row.record() : newLife,
                takeOver.fingerprint(),
                terms,
                now);
        item.put("attempt_count", number(newLife == null ? row.attempt() + 1 : 1));
        item.put("fence", number(Math.max(row.fence() + 1, now.latest())));
        if (newLife != null) {
            made(item, row.ref(), now);
            item.remove("alias_conflict");
        }
        return item;
    }

    private static void made(Map<String, AttributeValue> item, ClaimRef ref, ClockReading now) {
        item.put("created_at", number(now.latest()));
        item.putAll(DynamoListing.ofRecord(ref, now.latest()));
    }

    /** A claim that must be reconciled never becomes one that may simply run again. */
    private static StalePolicy policyAfter(DynamoRow row, Command.TakeOver takeOver) {
        StalePolicy wanted = takeOver.terms().onStale();
        boolean laxer = row.onStale() == StalePolicy.RECONCILE && wanted == StalePolicy.RERUN;
        return row.status() == Status.IN_PROGRESS && laxer ? row.onStale() : wanted;
    }

    private static void start(
            Map<String, AttributeValue> item,
            ClaimRef ref,
            OwnerToken token,
            RecordId record,
            Fingerprint fingerprint,
            Terms terms,
            ClockReading now) {
        OF_THE_END.forEach(item::remove);
        item.put("claim_nonce", bytes(token.bytes()));
        item.put("record_id", bytes(record.bytes()));
        item.put("fingerprint", bytes(fingerprint.bytes()));
        byte[] sketch = fingerprint.sketch();
        set(item, "sketch", sketch.length == 0 ? null : bytes(sketch));
        item.put("status", text(Status.IN_PROGRESS.name()));
        item.put("on_stale", text(terms.onStale().name()));
        Long ttl = terms.ttl().map(DynamoTransitions::micros).orElse(null);
        set(item, "ttl_micros", ttl == null ? null : number(ttl));
        DynamoTimeToLive.start(item, ttl);
        item.put("lease_until", number(now.latest() + micros(terms.lease())));
        item.put("lease_micros", number(micros(terms.lease())));
        item.put("run_until", number(now.latest() + micros(terms.maxRun())));
        due(item, ref, ttl == null ? null : now.latest() + ttl);
    }

    /**
     * A claim that is acquired and settled in one write.
     *
     * @param inChunks whether the result is stored in chunks
     */
    static Map<String, AttributeValue> settled(
            DynamoRow row, Command.Settle settle, ClockReading now, boolean inChunks) {
        StoredResult result = settle.result();
        Long ttl = settle.status() == Status.UNKNOWN ? null : row.ttl();
        Map<String, AttributeValue> item = new HashMap<>(row.item());
        item.put("status", text(settle.status().name()));
        settle(item, ttl, now, settle.reason());
        if (ttl != null) {
            due(item, row.ref(), now.latest() + ttl);
        }
        if (result != null) {
            item.put("result_type", text(result.type()));
            item.put("result_size", number(result.size()));
            if (inChunks) {
                item.put("result_id", bytes(DynamoChunks.idOf(settle.expected(), result)));
            } else {
                item.put("result", bytes(result.bytes()));
            }
        }
        return item;
    }

    /** The row as if this attempt had not been made. */
    static Map<String, AttributeValue> uncounted(DynamoRow row) {
        Map<String, AttributeValue> item = new HashMap<>(row.item());
        item.put("attempt_count", number(Math.max(row.attempt() - 1, 0)));
        return item;
    }

    static Map<String, AttributeValue> givenBack(DynamoRow row, Command.GiveBack back, ClockReading now) {
        boolean retryable = back.status() == Status.RETRYABLE;
        Map<String, AttributeValue> item = uncounted(row);
        StalePolicy onStale = back.onStale();
        Long ttl = row.ttl();
        // In the past for every process: nobody has to wait until the lease is over by its own reading.
        long until = Math.min(now.past(), row.runUntil());
        item.put("claim_nonce", bytes(back.token().bytes()));
        item.put("status", text(back.status().name()));
        item.put("lease_until", number(until));
        item.put("lease_micros", number(0));
        if (onStale != null) {
            item.put("on_stale", text(onStale.name()));
        }
        Long due = row.dueAt();
        if (ttl != null && due != null) {
            due(item, row.ref(), Math.min(due, until + ttl));
        }
        if (retryable) {
            settle(item, ttl, now, Command.GiveBack.REASON);
        }
        return item;
    }

    static Map<String, AttributeValue> abandoned(DynamoRow row, ClockReading now) {
        boolean park = row.onStale() == StalePolicy.PARK;
        Map<String, AttributeValue> item = new HashMap<>(row.item());
        item.put("status", text((park ? Status.UNKNOWN : Status.RETRYABLE).name()));
        settle(item, park ? null : row.ttl(), now, SweepReport.ABANDONED);
        Long ttl = row.ttl();
        due(item, row.ref(), ttl == null ? null : now.latest() + ttl);
        return item;
    }

    private static void settle(
            Map<String, AttributeValue> item, @Nullable Long ttl, ClockReading now, @Nullable String reason) {
        item.put("completed_at", number(now.latest()));
        set(item, "expires_at", ttl == null ? null : number(now.latest() + ttl));
        if (ttl != null) {
            DynamoTimeToLive.settle(item, now);
        }
        set(item, "reason", reason == null ? null : text(reason));
    }

    /** A row that points to a record. A version that does not know aliases reads it as a claim that may not run. */
    static Map<String, AttributeValue> pointer(
            Alias alias, Command.Insert insert, ClaimRef record, @Nullable DynamoRow free, ClockReading now) {
        Map<String, AttributeValue> item = new HashMap<>();
        item.putAll(DynamoRow.keyOf(alias.ref().digest()));
        item.put("tenant", text(alias.ref().tenant()));
        // A free row keeps its secret, because it keeps its digest.
        item.put("scope", text(free == null ? insert.scope() : free.scope()));
        item.put("secret_id", text(free == null ? alias.secretId() : free.secretId()));
        item.put("claim_nonce", bytes(alias.token().bytes()));
        item.put("record_id", bytes(insert.record().bytes()));
        item.put("fingerprint", bytes(Fingerprint.NONE.bytes()));
        item.put("status", text(Status.UNKNOWN.name()));
        item.put("on_stale", text(StalePolicy.PARK.name()));
        item.put("attempt_count", number(1));
        item.put("fence", number(free == null ? now.latest() : Math.max(free.fence() + 1, now.latest())));
        item.put("created_at", number(now.latest()));
        item.put("lease_until", number(now.latest()));
        item.put("lease_micros", number(0));
        item.put("run_until", number(now.latest()));
        item.put("reason", text(Alias.REASON));
        item.put("alias_of", bytes(record.digest().bytes()));
        item.putAll(DynamoListing.ofPointer(alias.ref(), now.latest()));
        if (free != null && !free.pointers().isEmpty()) {
            // Rows that pointed to this one lead nowhere now. The next sweep deletes them.
            due(item, alias.ref(), now.past());
        }
        return item;
    }

    static AttributeValue digests(Collection<ClaimRef> refs) {
        return AttributeValue.builder()
                .bs(refs.stream()
                        .map(ref -> SdkBytes.fromByteArray(ref.digest().bytes()))
                        .toList())
                .build();
    }

    static void due(Map<String, AttributeValue> item, ClaimRef ref, @Nullable Long at) {
        set(item, "due_at", at == null ? null : number(at));
        set(item, "due_shard", at == null ? null : number(ref.digest().bytes()[0] & (DynamoRow.SHARDS - 1)));
    }

    private static void set(Map<String, AttributeValue> item, String name, @Nullable AttributeValue value) {
        if (value == null) {
            item.remove(name);
        } else {
            item.put(name, value);
        }
    }
}

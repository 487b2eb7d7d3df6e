// SPDX-License-Identifier: Apache-2.0
package dev.semel.dynamodb;

import dev.semel.spi.Verdict;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/**
 * A claim that may be acquired, as far as the rows show that were read: what has to be written, and on which conditions.
 *
 * @param before the claim's row as it was read; null if there is none
 * @param after the claim's row once it is acquired, at a time
 * @param pointers other digests of the claim
 * @param others writes these pointers, and checks rows that must not change
 * @param alone whether there are no others
 */
record DynamoGrant(
        @Nullable DynamoRow before,
        Function<ClockReading, Map<String, AttributeValue>> after,
        @Nullable AttributeValue pointers,
        BiConsumer<DynamoWrites, ClockReading> others,
        boolean alone) {
    /** Carries a grant out. Empty if the rows have changed, so that they must be read again. */
    interface Acquirer {
        CompletableFuture<Optional<Verdict>> acquire(DynamoGrant grant);
    }

    /** The writes that make the claim's row equal to this one, which may be settled already. */
    List<TransactWriteItem> writes(String table, DynamoRow record, ClockReading now) {
        DynamoWrites writes = new DynamoWrites(table);
        Map<String, AttributeValue> item = new HashMap<>(record.item());
        if (pointers != null) {
            DynamoTimeToLive.never(item);
        }
        if (before == null && pointers != null) {
            item.put("aliases", pointers);
        }
        if (before == null) {
            writes.insert(record.ref(), item);
        } else {
            DynamoUpdate changes = before.changesTo(item);
            writes.update(
                    record.ref(),
                    pointers == null
                            ? changes
                            : changes.then(changes.update() + " ADD #aliases :pointers")
                                    .with(":pointers", pointers));
        }
        others.accept(writes, now);
        return writes.bounded();
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.dynamodb;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The epoch of the replay caches: an item of its own. */
final class DynamoEpoch {
    /** Shorter than any digest. */
    static final Map<String, AttributeValue> KEY =
            Map.of(DynamoRow.KEY, DynamoValues.bytes("semel_epoch".getBytes(StandardCharsets.US_ASCII)));

    private final DynamoCalls calls;

    DynamoEpoch(DynamoCalls calls) {
        this.calls = calls;
    }

    CompletableFuture<Long> current() {
        return calls.get(KEY).thenApply(item -> item.isEmpty() ? 1 : DynamoValues.number(item, "epoch"));
    }

    /** The greater of the old epoch plus one and the clock: two writes, of which exactly one takes effect. */
    CompletableFuture<Long> advance() {
        return calls.time()
                .thenCompose(any -> calls.update(
                        KEY,
                        () -> DynamoUpdate.onlyIf("attribute_not_exists(#epoch) OR #epoch < :now")
                                .then("SET #epoch = :now")
                                .with(":now", DynamoValues.number(calls.latest(null)))))
                .thenCompose(set -> set.held()
                        ? CompletableFuture.completedFuture(set)
                        : calls.update(
                                KEY,
                                () -> DynamoUpdate.onlyIf("attribute_exists(#epoch)")
                                        .then("SET #epoch = #epoch + :one")
                                        .with(":one", DynamoValues.number(1))))
                .thenApply(set -> DynamoValues.number(Objects.requireNonNull(set.item()), "epoch"));
    }
}

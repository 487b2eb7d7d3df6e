// SPDX-License-Identifier: Apache-2.0
package dev.semel.dynamodb;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;

/** Counts the claims that only one secret finds, by reading the whole table, consistently, a page at a time. */
final class DynamoRotation {
    private final DynamoCalls calls;
    private final DynamoReads reads;

    DynamoRotation(DynamoCalls calls, DynamoReads reads) {
        this.calls = calls;
        this.reads = reads;
    }

    long onlyFoundBy(String secretId) {
        Objects.requireNonNull(secretId, "A secret's id must not be null");
        ClockReading now = DynamoFutures.await(calls.time());
        long count = 0;
        Map<String, AttributeValue> from = null;
        do {
            ScanResponse page = DynamoFutures.await(page(from));
            List<CompletableFuture<Boolean>> found = new ArrayList<>();
            for (Map<String, AttributeValue> item : page.items()) {
                DynamoRow record = new DynamoRow(item);
                if (!record.isExpired(now)) {
                    found.add(isOnlyFoundBy(secretId, record));
                }
            }
            count += DynamoFutures.await(DynamoFutures.all(found)).stream()
                    .filter(only -> only)
                    .count();
            from = page.hasLastEvaluatedKey() ? page.lastEvaluatedKey() : null;
        } while (from != null);
        return count;
    }

    private CompletableFuture<ScanResponse> page(@Nullable Map<String, AttributeValue> from) {
        return calls.scan(request -> request.consistentRead(true)
                .filterExpression("attribute_exists(record_id) AND attribute_not_exists(alias_of)")
                .exclusiveStartKey(from));
    }

    /** Whether more of its digests were made by this secret than by others. */
    private CompletableFuture<Boolean> isOnlyFoundBy(String secretId, DynamoRow record) {
        return reads.pointersOf(record).thenApply(pointers -> {
            int surplus = record.secretId().equals(secretId) ? 1 : -1;
            for (DynamoRow pointer : pointers) {
                surplus += pointer.secretId().equals(secretId) ? 1 : -1;
            }
            return surplus > 0;
        });
    }
}

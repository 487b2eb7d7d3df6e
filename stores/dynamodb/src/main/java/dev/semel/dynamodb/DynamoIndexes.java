// SPDX-License-Identifier: Apache-2.0
package dev.semel.dynamodb;

import static dev.semel.dynamodb.DynamoValues.bytes;
import static dev.semel.dynamodb.DynamoValues.number;

import dev.semel.claim.Digest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.Select;

/** Reads the indexes of the table. They are eventually consistent. */
final class DynamoIndexes {
    private static final String DUE = "due_shard = :shard AND due_at <= :until";
    private static final String LISTED =
            "%s = :part AND %s BETWEEN :low AND :high".formatted(DynamoListing.PARTITION, DynamoListing.POSITION);

    private final DynamoCalls calls;

    DynamoIndexes(DynamoCalls calls) {
        this.calls = calls;
    }

    /** The keys of rows of one part of the index whose time has come, the earliest first. */
    CompletableFuture<List<Map<String, AttributeValue>>> due(int shard, long until, int most) {
        return calls.query(request -> request.indexName(DynamoTable.DUE)
                        .keyConditionExpression(DUE)
                        .expressionAttributeValues(dueIn(shard, until))
                        .limit(most))
                .thenApply(answer -> answer.items().stream()
                        .map(item -> bytes(item, DynamoRow.KEY))
                        .map(key -> Map.of(DynamoRow.KEY, bytes(key)))
                        .toList());
    }

    private static Map<String, AttributeValue> dueIn(int shard, long until) {
        return Map.of(":shard", number(shard), ":until", number(until));
    }

    /** The number of rows of one part whose time has come, counted up to a limit. */
    CompletableFuture<Long> countDue(int shard, long until, int most) {
        return countDue(shard, until, most, null);
    }

    private CompletableFuture<Long> countDue(
            int shard, long until, int most, @Nullable Map<String, AttributeValue> from) {
        return calls.query(request -> request.indexName(DynamoTable.DUE)
                        .keyConditionExpression(DUE)
                        .expressionAttributeValues(dueIn(shard, until))
                        .select(Select.COUNT)
                        .exclusiveStartKey(from)
                        .limit(most))
                .thenCompose(answer -> answer.hasLastEvaluatedKey() && answer.count() < most
                        ? countDue(shard, until, most - answer.count(), answer.lastEvaluatedKey())
                                .thenApply(more -> answer.count() + more)
                        : CompletableFuture.completedFuture((long) answer.count()));
    }

    /**
     * Some rows of one partition between two positions, the newest first. One answer has at most a megabyte.
     *
     * @param low the earliest position
     * @param high the latest position
     */
    CompletableFuture<Some> listed(AttributeValue partition, byte[] low, byte[] high, int most) {
        return calls.query(request -> request.indexName(DynamoTable.LISTED)
                        .keyConditionExpression(LISTED)
                        .expressionAttributeValues(Map.of(":part", partition, ":low", bytes(low), ":high", bytes(high)))
                        .scanIndexForward(false)
                        .limit(most))
                .thenApply(DynamoIndexes::some);
    }

    private static Some some(QueryResponse answer) {
        List<Listed> rows = new ArrayList<>(answer.count());
        for (Map<String, AttributeValue> item : answer.items()) {
            byte[] position = bytes(item, DynamoListing.POSITION);
            rows.add(new Listed(
                    DynamoListing.createdAt(position),
                    DynamoListing.digest(position),
                    DynamoValues.text(item, "scope")));
        }
        return new Some(rows, !answer.hasLastEvaluatedKey());
    }

    /** @param last whether there are no more */
    record Some(List<Listed> rows, boolean last) {}

    /** A row as the index shows it. */
    record Listed(long createdAt, Digest digest, String scope) {
        byte[] position() {
            return DynamoListing.position(createdAt, digest.bytes());
        }
    }
}

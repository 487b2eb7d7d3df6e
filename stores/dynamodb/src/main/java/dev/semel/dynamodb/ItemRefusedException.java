// SPDX-License-Identifier: Apache-2.0
package dev.semel.dynamodb;

import static java.util.stream.Collectors.joining;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * DynamoDB refused at least one item of a transaction, so that none was written and the same request can use the key again. The message has no content of
 * the items.
 */
public final class ItemRefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient List<Refusal> refused;

    ItemRefusedException(List<Refusal> refused) {
        super("DynamoDB refused %s of the transaction, so none of its items was written%s"
                .formatted(
                        refused.stream()
                                .map(each -> "item %d (%s)".formatted(each.index(), each.code()))
                                .collect(joining(", ")),
                        fix(refused)));
        this.refused = List.copyOf(refused);
    }

    /** What a user can do. */
    private static String fix(List<Refusal> refused) {
        return refused.stream()
                .map(each -> switch (each.code()) {
                    case DynamoCommit.CONDITION -> ". The same request can use the key again once the condition holds";
                    case "ValidationError" ->
                        ". Check the item's key attributes, its expressions and its size (400 KB)";
                    case "ItemCollectionSizeLimitExceeded" ->
                        ". A partition of a table with a local secondary index has at most 10 GB: use another partition key";
                    case "AccessDenied" -> ". The credentials need permissions on the item's table";
                    default -> "";
                })
                .distinct()
                .collect(joining());
    }

    /** The refused items, in their order. */
    public List<Refusal> refused() {
        return refused == null ? List.of() : refused;
    }

    /** Whether the condition of this item did not hold. */
    public boolean isConditionOf(int index) {
        return refused().stream().anyMatch(each -> each.index() == index && each.isCondition());
    }

    /**
     * A refused item.
     *
     * @param index the position in {@link TransactionItems#items}, from 0
     * @param code DynamoDB's code, such as {@code ConditionalCheckFailed} or {@code ValidationError}
     * @param message DynamoDB's explanation; null if there is none
     * @param existing the item that exists, if you asked for it by {@code returnValuesOnConditionCheckFailure}; otherwise empty
     */
    public record Refusal(int index, String code, @Nullable String message, Map<String, AttributeValue> existing) {
        public Refusal {
            existing = Map.copyOf(existing);
        }

        /** Whether its condition did not hold. */
        public boolean isCondition() {
            return code.equals(DynamoCommit.CONDITION);
        }

        /** Without the item. */
        @Override
        public String toString() {
            return "Refusal[" + index + ", " + code + "]";
        }
    }
}

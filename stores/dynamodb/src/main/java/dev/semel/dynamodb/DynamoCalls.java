// SPDX-License-Identifier: Apache-2.0
package dev.semel.dynamodb;

import static java.util.stream.Collectors.toMap;

import dev.semel.claim.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.core.SdkResponse;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/**
 * Sends requests about one table, a limited number at a time. Every answer, also every error, tells the clock the time. The SDK
 * may repeat a request, which is safe: every write has a condition on a token, or writes what never changes.
 */
final class DynamoCalls {
    /** DynamoDB's limit of keys in one request. */
    static final int KEYS_AT_ONCE = 100;

    private static final int MOST_IN_FLIGHT = 64;

    /** How many requests may be sent to find out the time, before a command is refused as busy. */
    private static final int CLOCK_TRIES = 2 * DynamoClock.AGREEING;

    static final String TRANSACTION = "dynamodb:PutItem, UpdateItem, DeleteItem and ConditionCheckItem";

    private final DynamoDbAsyncClient client;
    private final String table;
    private final DynamoClock clock;
    private final RequestLimit inFlight;
    private final DynamoPauses pauses;
    private final AwsRequestOverrideConfiguration limits;

    DynamoCalls(DynamoDbAsyncClient client, String table, DynamoClock clock, Duration timeout) {
        this(client, table, clock, DynamoPauses.SYSTEM, timeout);
    }

    DynamoCalls(DynamoDbAsyncClient client, String table, DynamoClock clock, DynamoPauses pauses, Duration timeout) {
        this(client, table, clock, pauses, new RequestLimit(MOST_IN_FLIGHT), timeout);
    }

    private DynamoCalls(
            DynamoDbAsyncClient client,
            String table,
            DynamoClock clock,
            DynamoPauses pauses,
            RequestLimit inFlight,
            Duration timeout) {
        this.client = client;
        this.table = table;
        this.clock = clock;
        this.pauses = pauses;
        this.inFlight = inFlight;
        this.limits = AwsRequestOverrideConfiguration.builder()
                .apiCallTimeout(timeout)
                .apiCallAttemptTimeout(timeout.dividedBy(2))
                .build();
    }

    DynamoCalls withTimeout(Duration timeout) {
        return new DynamoCalls(client, table, clock, pauses, inFlight, timeout);
    }

    String table() {
        return table;
    }

    DynamoClock clock() {
        return clock;
    }

    /** Ends after a random time of up to this many milliseconds. */
    CompletableFuture<Void> pause(int longestMillis) {
        return pauses.upTo(longestMillis);
    }

    /**
     * The outcome of a conditional write.
     *
     * @param held whether the condition was true, so that the write has taken effect
     * @param item the item after the write or, if the condition was false, the item that exists; empty if there is none
     * @param date the date of the answer, in microseconds since 1970
     * @param repeated whether the condition was false and the SDK sent the request more than once: an earlier one may have held
     */
    record Conditional(
            boolean held,
            Map<String, AttributeValue> item,
            @Nullable Long date,
            boolean repeated) {}

    /** @param made makes the item when the request is sent, by the time of then */
    CompletableFuture<Conditional> put(Supplier<Map<String, AttributeValue>> made, DynamoUpdate when) {
        AtomicReference<Map<String, AttributeValue>> written = new AtomicReference<>(Map.of());
        return conditional(
                "dynamodb:PutItem",
                sent(() -> {
                    Map<String, AttributeValue> item = made.get();
                    written.set(item);
                    return client.putItem(request -> request.tableName(table)
                            .item(item)
                            .conditionExpression(when.condition())
                            .expressionAttributeNames(when.names())
                            .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
                            .overrideConfiguration(limits));
                }),
                answer -> Objects.requireNonNull(written.get()));
    }

    /** Writes an item that never changes. Writing it again is harmless. */
    CompletableFuture<Void> putAlways(Map<String, AttributeValue> item) {
        return answered(
                        "dynamodb:PutItem",
                        sent(() -> client.putItem(
                                request -> request.tableName(table).item(item).overrideConfiguration(limits))))
                .thenAccept(any -> {});
    }

    CompletableFuture<Conditional> update(Map<String, AttributeValue> key, Supplier<DynamoUpdate> made) {
        return conditional(
                "dynamodb:UpdateItem",
                sent(() -> {
                    DynamoUpdate update = made.get();
                    return client.updateItem(request -> request.tableName(table)
                            .key(key)
                            .updateExpression(update.update().strip())
                            .conditionExpression(update.condition().isEmpty() ? null : update.condition())
                            .expressionAttributeNames(update.names())
                            .expressionAttributeValues(update.values())
                            .returnValues(ReturnValue.ALL_NEW)
                            .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
                            .overrideConfiguration(limits));
                }),
                answer -> answer.attributes());
    }

    /** Updates an item that is large. The answer contains nothing of it. */
    CompletableFuture<Boolean> updateLarge(Map<String, AttributeValue> key, DynamoUpdate update) {
        return conditional(
                        "dynamodb:UpdateItem",
                        sent(() -> client.updateItem(request -> request.tableName(table)
                                .key(key)
                                .updateExpression(update.update().strip())
                                .conditionExpression(update.condition())
                                .expressionAttributeNames(update.names())
                                .expressionAttributeValues(update.values())
                                .overrideConfiguration(limits))),
                        answer -> Map.of())
                .thenApply(Conditional::held);
    }

    CompletableFuture<Conditional> delete(Map<String, AttributeValue> key, DynamoUpdate when) {
        return conditional(
                "dynamodb:DeleteItem",
                sent(() -> client.deleteItem(request -> request.tableName(table)
                        .key(key)
                        .conditionExpression(when.condition())
                        .expressionAttributeNames(when.names())
                        .expressionAttributeValues(when.values())
                        .overrideConfiguration(limits))),
                answer -> Map.of());
    }

    CompletableFuture<Void> deleteAlways(Map<String, AttributeValue> key) {
        return answered(
                        "dynamodb:DeleteItem",
                        sent(() -> client.deleteItem(
                                request -> request.tableName(table).key(key).overrideConfiguration(limits))))
                .thenAccept(any -> {});
    }

    /** Writes all or nothing. False if a condition did not hold, or if another transaction was about the same items. */
    CompletableFuture<Boolean> transact(Supplier<List<TransactWriteItem>> made) {
        return transacted(() -> {
                    List<TransactWriteItem> items = made.get();
                    return client.transactWriteItems(
                            request -> request.transactItems(items).overrideConfiguration(limits));
                })
                .thenApply(cancelled -> {
                    if (cancelled.isPresent() && !cancelled.get().isConflict()) {
                        throw DynamoErrors.translate(cancelled.get().failure(), TRANSACTION, table);
                    }
                    return cancelled.isEmpty();
                });
    }

    /**
     * Writes all or nothing, once for this token within ten minutes. Empty if it is written.
     *
     * @param requestToken identifies the request when it is sent again
     */
    CompletableFuture<Optional<Cancelled>> transact(List<TransactWriteItem> items, String requestToken) {
        return transacted(() -> client.transactWriteItems(request ->
                request.transactItems(items).clientRequestToken(requestToken).overrideConfiguration(limits)));
    }

    /** A transaction that wrote nothing, with a reason for each of its items. */
    record Cancelled(TransactionCanceledException failure) {
        List<CancellationReason> reasons() {
            return failure.cancellationReasons();
        }

        /** Whether the SDK sent it more than once, so that an earlier request may still have an effect. */
        boolean repeated() {
            return DynamoErrors.isRepeated(failure);
        }

        private boolean isConflict() {
            return reasons().stream()
                    .map(CancellationReason::code)
                    .anyMatch(code -> "ConditionalCheckFailed".equals(code) || "TransactionConflict".equals(code));
        }
    }

    private CompletableFuture<Optional<Cancelled>> transacted(
            Supplier<CompletableFuture<TransactWriteItemsResponse>> request) {
        return sent(request).handle((answer, failure) -> {
            if (failure == null) {
                return Optional.empty();
            }
            if (DynamoErrors.unwrapped(failure) instanceof TransactionCanceledException cancelled) {
                return Optional.of(new Cancelled(cancelled));
            }
            throw DynamoErrors.translate(failure, TRANSACTION, table);
        });
    }

    /** A consistent read; empty if there is no such item. */
    CompletableFuture<Map<String, AttributeValue>> get(Map<String, AttributeValue> key) {
        return answered(
                        "dynamodb:GetItem",
                        sent(() -> client.getItem(request -> request.tableName(table)
                                .key(key)
                                .consistentRead(true)
                                .overrideConfiguration(limits))))
                .thenApply(answer -> answer.hasItem() ? answer.item() : Map.of());
    }

    /** Consistent reads of any number of different items. */
    CompletableFuture<List<Map<String, AttributeValue>>> getAll(Collection<Map<String, AttributeValue>> keys) {
        return getAll(keys, List.of());
    }

    /** @param attributes the attributes to read; empty for all */
    CompletableFuture<List<Map<String, AttributeValue>>> getAll(
            Collection<Map<String, AttributeValue>> keys, List<String> attributes) {
        List<Map<String, AttributeValue>> all = List.copyOf(keys);
        if (all.size() == 1 && attributes.isEmpty()) {
            return get(all.get(0)).thenApply(item -> item.isEmpty() ? List.of() : List.of(item));
        }
        List<CompletableFuture<List<Map<String, AttributeValue>>>> parts = new ArrayList<>();
        for (int from = 0; from < all.size(); from += KEYS_AT_ONCE) {
            parts.add(getSome(all.subList(from, Math.min(from + KEYS_AT_ONCE, all.size())), attributes));
        }
        return DynamoFutures.all(parts)
                .thenApply(found -> found.stream().flatMap(List::stream).toList());
    }

    private CompletableFuture<List<Map<String, AttributeValue>>> getSome(
            List<Map<String, AttributeValue>> keys, List<String> attributes) {
        KeysAndAttributes.Builder wanted =
                KeysAndAttributes.builder().keys(keys).consistentRead(true);
        if (!attributes.isEmpty()) {
            wanted.projectionExpression("#" + String.join(", #", attributes))
                    .expressionAttributeNames(attributes.stream().collect(toMap(name -> "#" + name, name -> name)));
        }
        return answered(
                        "dynamodb:BatchGetItem",
                        sent(() -> client.batchGetItem(request -> request.requestItems(Map.of(table, wanted.build()))
                                .overrideConfiguration(limits))))
                .thenCompose(answer -> {
                    List<Map<String, AttributeValue>> found = answer.responses().getOrDefault(table, List.of());
                    KeysAndAttributes left = answer.unprocessedKeys().get(table);
                    if (left == null || left.keys().isEmpty()) {
                        return CompletableFuture.completedFuture(found);
                    }
                    if (left.keys().size() == keys.size()) {
                        return CompletableFuture.failedFuture(new StoreException(
                                StoreException.Kind.BUSY, "DynamoDB is busy: it processed no key of a batch"));
                    }
                    return getSome(left.keys(), attributes).thenApply(more -> DynamoFutures.concat(found, more));
                });
    }

    CompletableFuture<TableDescription> described() {
        return DynamoTable.described(client, table);
    }

    CompletableFuture<QueryResponse> query(Consumer<QueryRequest.Builder> changes) {
        return answered(
                "dynamodb:Query",
                sent(() -> client.query(
                        request -> changes.accept(request.tableName(table).overrideConfiguration(limits)))));
    }

    CompletableFuture<ScanResponse> scan(Consumer<ScanRequest.Builder> changes) {
        return answered(
                "dynamodb:Scan",
                sent(() -> client.scan(
                        request -> changes.accept(request.tableName(table).overrideConfiguration(limits)))));
    }

    /**
     * The time, after reading it from DynamoDB if it is unknown or in doubt ({@link DynamoClock#mayBeBehind}). Fails with a {@link
     * StoreException} of kind BUSY if it stays so, because the answers are slow or contradict each other.
     */
    CompletableFuture<ClockReading> time() {
        return time(CLOCK_TRIES);
    }

    private CompletableFuture<ClockReading> time(int tries) {
        ClockReading now = clock.now();
        if (now != null && !clock.mayBeBehind()) {
            return CompletableFuture.completedFuture(now);
        }
        if (tries == 0) {
            return CompletableFuture.failedFuture(new StoreException(
                    StoreException.Kind.BUSY,
                    "DynamoDB's time is unknown: its answers are slow, or their dates contradict each other"));
        }
        return get(DynamoEpoch.KEY).thenCompose(any -> time(tries - 1));
    }

    /** The time for an answer. If doubt about it cannot be resolved, because the dates keep contradicting each other, they are ignored. */
    CompletableFuture<ClockReading> timeOfAnswers() {
        return time().exceptionallyCompose(failure -> {
            ClockReading known = clock.now();
            return known == null ? CompletableFuture.failedFuture(failure) : CompletableFuture.completedFuture(known);
        });
    }

    /** The time while a command is carried out, which began with {@link #time}. */
    ClockReading now() {
        ClockReading now = clock.now();
        if (now == null) {
            // It becomes unknown only while the answers contradict each other.
            throw new StoreException(StoreException.Kind.BUSY, "DynamoDB's time has just become unknown");
        }
        return now;
    }

    /** The latest time that it can be now, after an answer of this date. */
    long latest(@Nullable Long date) {
        ClockReading now = clock.now();
        long known = now == null ? Long.MIN_VALUE : now.latest();
        // An answer that the clock does not believe still counts for the lease of its own command.
        return date != null && date > known ? date + DynamoClock.SECOND : known;
    }

    /**
     * The time up to which an owner's lease counts as used, after an answer of this date. A command that was sent again is
     * recognized in the answer to another request, so answers that the clock does not believe count here as well.
     */
    long latestForOwner(@Nullable Long date) {
        return Math.max(latest(date), clock.latestOfAll());
    }

    private <A extends SdkResponse> CompletableFuture<A> sent(Supplier<CompletableFuture<A>> request) {
        return inFlight.submit(() -> {
            long sent = clock.ticks();
            return request.get().whenComplete((answer, failure) -> {
                Long date = failure == null ? AnswerDate.of(answer) : AnswerDate.of(failure);
                if (date != null) {
                    clock.observe(sent, clock.ticks(), date);
                }
            });
        });
    }

    private <A> CompletableFuture<A> answered(String action, CompletableFuture<A> request) {
        return request.handle((answer, failure) -> {
            if (failure != null) {
                throw DynamoErrors.translate(failure, action, table);
            }
            return answer;
        });
    }

    private <A extends SdkResponse> CompletableFuture<Conditional> conditional(
            String action, CompletableFuture<A> request, Function<A, Map<String, AttributeValue>> after) {
        return request.handle((answer, failure) -> {
            if (failure == null) {
                return new Conditional(true, after.apply(answer), AnswerDate.of(answer), false);
            }
            if (DynamoErrors.unwrapped(failure) instanceof ConditionalCheckFailedException refused) {
                return new Conditional(
                        false,
                        refused.hasItem() ? refused.item() : Map.of(),
                        AnswerDate.of(refused),
                        DynamoErrors.isRepeated(refused));
            }
            throw DynamoErrors.translate(failure, action, table);
        });
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.simulation;

import dev.semel.simulation.dynamodb.ItemTable;
import dev.semel.simulation.dynamodb.ItemWrite;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.AwsResponse;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemResponse;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/** A simulated DynamoDB with one table. Each request takes effect in one step, and its answer has the date of a server. */
final class SimulatedTable {
    private final Scheduler scheduler;
    private final Network network;
    private final Dice dice;
    private final DynamoSettings settings;
    private final DynamoAnswers answers;
    private final DynamoEvents history;
    private final int largestResult;
    private final ItemTable table = new ItemTable(this::changed);
    private @Nullable DynamoOrigin current;

    /** @param largestResult results with more bytes are rejected */
    SimulatedTable(
            Scheduler scheduler,
            Network network,
            Dice dice,
            DynamoSettings settings,
            DynamoEvents history,
            int largestResult) {
        this.scheduler = scheduler;
        this.network = network;
        this.dice = dice;
        this.settings = settings;
        this.answers = new DynamoAnswers(scheduler, network, dice.split(), settings);
        this.history = history;
        this.largestResult = largestResult;
    }

    DynamoAnswers answers() {
        return answers;
    }

    private void changed(@Nullable Map<String, AttributeValue> before, @Nullable Map<String, AttributeValue> after) {
        DynamoOrigin origin = Objects.requireNonNull(current);
        if (origin.process() != null) {
            history.changed(origin.process().name(), origin.made(), before, after);
        }
    }

    private long indexed() {
        return scheduler.now() + dice.between(0, settings.longestIndexing());
    }

    /** Writes one item. A transaction about the same item may be in the way. */
    private ItemTable.Written write(ItemWrite write, DynamoOrigin origin, boolean returnsItem) {
        if (origin.process() != null && network.isFaulty() && dice.chance(settings.conflicts())) {
            throw answers.error("TransactionConflictException", 400, origin);
        }
        current = origin;
        ItemTable.Written written = table.write(write, indexed());
        if (!written.held()) {
            throw answers.conditionFailed(returnsItem ? written.before() : null, origin);
        }
        return written;
    }

    private <B extends AwsResponse.Builder> B dated(B answer, DynamoOrigin origin) {
        answer.sdkHttpResponse(answers.head(origin, 200));
        return answer;
    }

    PutItemResponse put(PutItemRequest put, DynamoOrigin origin) {
        write(ItemWrite.of(put), origin, returnsItem(put.returnValuesOnConditionCheckFailure()));
        return dated(PutItemResponse.builder(), origin).build();
    }

    UpdateItemResponse update(UpdateItemRequest update, DynamoOrigin origin) {
        AttributeValue size = update.expressionAttributeValues().get(":size");
        if (size != null && Long.parseLong(size.n()) > largestResult) {
            throw answers.error("ValidationException", 400, origin);
        }
        if (update.returnValues() != ReturnValue.ALL_NEW) {
            throw new IllegalStateException("The simulated DynamoDB returns all new values of an update");
        }
        ItemTable.Written written =
                write(ItemWrite.of(update), origin, returnsItem(update.returnValuesOnConditionCheckFailure()));
        return dated(UpdateItemResponse.builder().attributes(written.after()), origin)
                .build();
    }

    DeleteItemResponse delete(DeleteItemRequest delete, DynamoOrigin origin) {
        write(ItemWrite.of(delete), origin, returnsItem(delete.returnValuesOnConditionCheckFailure()));
        return dated(DeleteItemResponse.builder(), origin).build();
    }

    private static boolean returnsItem(@Nullable ReturnValuesOnConditionCheckFailure wanted) {
        return wanted == ReturnValuesOnConditionCheckFailure.ALL_OLD;
    }

    TransactWriteItemsResponse transact(TransactWriteItemsRequest transaction, DynamoOrigin origin) {
        List<ItemWrite> writes =
                transaction.transactItems().stream().map(ItemWrite::of).toList();
        if (network.isFaulty() && dice.chance(settings.conflicts())) {
            int met = dice.between(0, writes.size());
            throw answers.cancelled(
                    IntStream.range(0, writes.size())
                            .mapToObj(number -> number == met ? "TransactionConflict" : "None")
                            .toList(),
                    origin);
        }
        current = origin;
        List<Boolean> held = table.transact(writes, indexed());
        if (held.contains(false)) {
            throw answers.cancelled(
                    held.stream()
                            .map(holds -> holds ? "None" : "ConditionalCheckFailed")
                            .toList(),
                    origin);
        }
        return dated(TransactWriteItemsResponse.builder(), origin).build();
    }

    GetItemResponse get(GetItemRequest get, DynamoOrigin origin) {
        if (!Boolean.TRUE.equals(get.consistentRead())) {
            throw new IllegalStateException("The simulated DynamoDB reads consistently");
        }
        return dated(GetItemResponse.builder().item(table.get(get.key())), origin)
                .build();
    }

    BatchGetItemResponse getAll(BatchGetItemRequest batch, DynamoOrigin origin) {
        Map<String, List<Map<String, AttributeValue>>> found = new HashMap<>();
        Map<String, KeysAndAttributes> left = new HashMap<>();
        batch.requestItems().forEach((name, wanted) -> {
            List<Map<String, AttributeValue>> keys = wanted.keys();
            int read = network.isFaulty() && dice.chance(settings.conflicts())
                    ? dice.between(0, keys.size() + 1)
                    : keys.size();
            List<Map<String, AttributeValue>> items = new ArrayList<>();
            for (Map<String, AttributeValue> key : keys.subList(0, read)) {
                Map<String, AttributeValue> item = table.get(key);
                if (item != null) {
                    items.add(item);
                }
            }
            found.put(name, items);
            if (read < keys.size()) {
                left.put(
                        name,
                        wanted.toBuilder().keys(keys.subList(read, keys.size())).build());
            }
        });
        return dated(BatchGetItemResponse.builder().responses(found).unprocessedKeys(left), origin)
                .build();
    }

    QueryResponse query(QueryRequest query, DynamoOrigin origin) {
        return dated(QueryResponse.builder().items(table.query(query, scheduler.now())), origin)
                .build();
    }
}

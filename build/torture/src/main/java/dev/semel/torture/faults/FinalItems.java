// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.faults;

import dev.semel.dynamodb.DynamoClaimStore;
import dev.semel.torture.history.HistoryFile;
import dev.semel.torture.history.RecordedEvent;
import dev.semel.torture.work.DynamoClients;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Reads the items of DynamoDB after a round, past the front ends: nobody else would ever see what leads nowhere. */
final class FinalItems implements FinalState {
    private static final String KEY = "key_hash";
    private static final int ATTEMPTS = 9;

    private final int port;

    /** @param port of DynamoDB Local itself */
    FinalItems(int port) {
        this.port = port;
    }

    private DynamoDbAsyncClient client() {
        return DynamoClients.of(DynamoClients.url(port), ATTEMPTS);
    }

    /** Only what is wrong is added: all effects of the round are in the histories of the workers. */
    @Override
    public void read(String round, HistoryFile history) {
        Map<SdkBytes, Map<String, AttributeValue>> items = new HashMap<>();
        try (DynamoDbAsyncClient client = client()) {
            client.scanPaginator(scan -> scan.tableName(DynamoClients.TABLE).consistentRead(true))
                    .items()
                    .subscribe(item -> items.put(bytes(item, KEY), item))
                    .join();
        }
        items.forEach((key, item) -> {
            String wrong = item.containsKey("alias_of") ? ofPointer(key, item, items) : ofRecord(item);
            if (!wrong.isEmpty()) {
                history.write(new RecordedEvent.Unexpected(
                        System.nanoTime(),
                        "",
                        wrong + ": " + item.keySet().stream().sorted().toList()));
            }
        });
    }

    private static SdkBytes bytes(Map<String, AttributeValue> item, String name) {
        return Objects.requireNonNull(item.get(name), name).b();
    }

    /** Its record deletes it, so the record must know it, unless it is to be deleted anyway. */
    private static String ofPointer(
            SdkBytes key, Map<String, AttributeValue> pointer, Map<SdkBytes, Map<String, AttributeValue>> items) {
        Map<String, AttributeValue> record = items.get(bytes(pointer, "alias_of"));
        if (record == null || record.containsKey("alias_of")) {
            return "";
        }
        AttributeValue known = record.get("aliases");
        return known != null && known.bs().contains(key)
                ? ""
                : "a pointer is unknown to its record, which will not delete it";
    }

    /** A claim that ends some day is found by the sweep. */
    private static String ofRecord(Map<String, AttributeValue> item) {
        return item.containsKey("ttl_micros") && !item.containsKey("due_at") ? "a claim will never be swept" : "";
    }

    @Override
    public void clear() {
        try (DynamoDbAsyncClient client = client()) {
            client.deleteTable(delete -> delete.tableName(DynamoClients.TABLE)).join();
            client.waiter()
                    .waitUntilTableNotExists(wait -> wait.tableName(DynamoClients.TABLE))
                    .join();
            DynamoClaimStore.creating(client, DynamoClients.TABLE);
        }
    }
}

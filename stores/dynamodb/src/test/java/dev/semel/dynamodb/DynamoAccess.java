// SPDX-License-Identifier: Apache-2.0
package dev.semel.dynamodb;

import dev.semel.claim.ClaimRef;
import dev.semel.testservers.DynamoServer;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;

/** Clients of DynamoDB Local, and direct access to the items of a claims table. */
final class DynamoAccess {
    /** The machine may be busy. */
    static final Duration PATIENT = Duration.ofSeconds(30);

    private static final List<String> TIMES =
            List.of("created_at", "lease_until", "run_until", "completed_at", "expires_at", "due_at");

    private DynamoAccess() {}

    static DynamoDbAsyncClient client(ExecutionInterceptor... interceptors) {
        return client(DynamoServer.shared().endpoint(), interceptors);
    }

    static DynamoDbAsyncClient client(URI endpoint, ExecutionInterceptor... interceptors) {
        return client(endpoint, 9, interceptors);
    }

    /** @param attempts how often the SDK sends a request at most */
    static DynamoDbAsyncClient client(URI endpoint, int attempts, ExecutionInterceptor... interceptors) {
        return DynamoDbAsyncClient.builder()
                .endpointOverride(endpoint)
                .region(Region.EU_CENTRAL_1)
                .credentialsProvider(
                        StaticCredentialsProvider.create(AwsBasicCredentials.create("anyKey", "anySecret")))
                .overrideConfiguration(setup -> {
                    setup.retryStrategy(strategy -> strategy.maxAttempts(attempts));
                    List.of(interceptors).forEach(setup::addExecutionInterceptor);
                })
                .build();
    }

    static Map<String, AttributeValue> item(DynamoDbAsyncClient client, String table, ClaimRef ref) {
        return client.getItem(get ->
                        get.tableName(table).key(DynamoRow.keyOf(ref.digest())).consistentRead(true))
                .join()
                .item();
    }

    /** All items of a table. One answer has at most a megabyte. */
    static List<Map<String, AttributeValue>> items(DynamoDbAsyncClient client, String table) {
        return items(client, table, null);
    }

    /** The rows of all claims, without the chunks of their results, which are large. */
    static List<Map<String, AttributeValue>> rows(DynamoDbAsyncClient client, String table) {
        List<Map<String, AttributeValue>> keys = items(client, table, DynamoTable.LISTED).stream()
                .map(item -> Map.of(DynamoRow.KEY, Objects.requireNonNull(item.get(DynamoRow.KEY))))
                .toList();
        DynamoCalls calls = new DynamoCalls(client, table, new DynamoClock(System::nanoTime), PATIENT);
        return DynamoFutures.await(calls.getAll(keys));
    }

    private static List<Map<String, AttributeValue>> items(
            DynamoDbAsyncClient client, String table, @Nullable String index) {
        List<Map<String, AttributeValue>> items = new ArrayList<>();
        Map<String, AttributeValue> from = null;
        do {
            Map<String, AttributeValue> start = from;
            ScanResponse page = client.scan(scan -> scan.tableName(table)
                            .indexName(index)
                            .consistentRead(index == null)
                            .exclusiveStartKey(start))
                    .join();
            items.addAll(page.items());
            from = page.hasLastEvaluatedKey() ? page.lastEvaluatedKey() : null;
        } while (from != null);
        return items;
    }

    /** Moves all times of a row into the past. */
    static void age(DynamoDbAsyncClient client, String table, ClaimRef ref, Duration by) {
        Map<String, AttributeValue> item = item(client, table, ref);
        if (item.isEmpty()) {
            return;
        }
        Map<String, AttributeValue> aged = new HashMap<>(item);
        for (String time : TIMES) {
            Long at = DynamoValues.numberOrNull(item, time);
            if (at != null) {
                aged.put(time, DynamoValues.number(at - DynamoTransitions.micros(by)));
            }
        }
        if (item.containsKey(DynamoListing.POSITION)) {
            aged.put(
                    DynamoListing.POSITION,
                    DynamoValues.bytes(DynamoListing.position(
                            DynamoValues.number(aged, "created_at"),
                            ref.digest().bytes())));
        }
        client.putItem(put -> put.tableName(table).item(aged)).join();
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.simulation;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemResponse;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/** The SDK's client as the store sees it. Every other method is refused by the SDK itself. */
final class DynamoClient implements DynamoDbAsyncClient {
    private final SimulatedTable server;
    private final Sender sender;

    DynamoClient(SimulatedTable server, Sender sender) {
        this.server = server;
        this.sender = sender;
    }

    /** Brings a request to a server, and its answer back. */
    interface Sender {
        <A> CompletableFuture<A> send(AwsRequestOverrideConfiguration limits, Function<DynamoOrigin, A> request);
    }

    private <A> CompletableFuture<A> send(
            Optional<AwsRequestOverrideConfiguration> limits, Function<DynamoOrigin, A> request) {
        return sender.send(limits.orElseThrow(() -> new IllegalStateException("A request has no time limit")), request);
    }

    @Override
    public CompletableFuture<PutItemResponse> putItem(PutItemRequest put) {
        return send(put.overrideConfiguration(), origin -> server.put(put, origin));
    }

    @Override
    public CompletableFuture<UpdateItemResponse> updateItem(UpdateItemRequest update) {
        return send(update.overrideConfiguration(), origin -> server.update(update, origin));
    }

    @Override
    public CompletableFuture<DeleteItemResponse> deleteItem(DeleteItemRequest delete) {
        return send(delete.overrideConfiguration(), origin -> server.delete(delete, origin));
    }

    @Override
    public CompletableFuture<TransactWriteItemsResponse> transactWriteItems(TransactWriteItemsRequest transaction) {
        return send(transaction.overrideConfiguration(), origin -> server.transact(transaction, origin));
    }

    @Override
    public CompletableFuture<GetItemResponse> getItem(GetItemRequest get) {
        return send(get.overrideConfiguration(), origin -> server.get(get, origin));
    }

    @Override
    public CompletableFuture<BatchGetItemResponse> batchGetItem(BatchGetItemRequest batch) {
        return send(batch.overrideConfiguration(), origin -> server.getAll(batch, origin));
    }

    @Override
    public CompletableFuture<QueryResponse> query(QueryRequest query) {
        return send(query.overrideConfiguration(), origin -> server.query(query, origin));
    }

    @Override
    public String serviceName() {
        return DynamoDbAsyncClient.SERVICE_NAME;
    }

    @Override
    public void close() {
        throw new UnsupportedOperationException("The store does not close its client");
    }
}

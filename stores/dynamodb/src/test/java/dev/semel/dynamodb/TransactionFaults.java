// SPDX-License-Identifier: Apache-2.0
package dev.semel.dynamodb;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.SdkResponse;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/** What DynamoDB Local never does to a transaction. Each fault is for one request, in order. The client must not repeat requests. */
final class TransactionFaults implements ExecutionInterceptor {
    private final Deque<Function<TransactWriteItemsRequest, SdkException>> before = new ArrayDeque<>();
    private final List<TransactWriteItemsRequest> sent = new ArrayList<>();
    private int lost;
    private boolean forgetful;

    /** The next transactions are not sent, as if their requests were still under way. */
    synchronized void delay(int requests) {
        for (int i = 0; i < requests; i++) {
            before.add(request -> SdkClientException.create("The request is still under way"));
        }
    }

    /** The next transactions are cancelled for this reason: all items, from the first of the work on. */
    synchronized void cancel(String code, int requests) {
        for (int i = 0; i < requests; i++) {
            before.add(request -> cancelled(code, request));
        }
    }

    private static TransactionCanceledException cancelled(String code, TransactWriteItemsRequest request) {
        List<CancellationReason> reasons = new ArrayList<>();
        for (int i = 0; i < request.transactItems().size(); i++) {
            reasons.add(CancellationReason.builder()
                    .code(i == request.transactItems().size() - 1 ? code : "None")
                    .build());
        }
        return TransactionCanceledException.builder()
                .message("cancelled")
                .cancellationReasons(reasons)
                .build();
    }

    /** The answers of the next transactions are lost after they took effect. */
    synchronized void lose(int answers) {
        lost = answers;
    }

    /** From now on requests are not recognized by their tokens, as after ten minutes. */
    synchronized void forget(boolean tokens) {
        forgetful = tokens;
    }

    synchronized List<TransactWriteItemsRequest> taken() {
        List<TransactWriteItemsRequest> taken = List.copyOf(sent);
        sent.clear();
        return taken;
    }

    @Override
    public synchronized SdkRequest modifyRequest(Context.ModifyRequest context, ExecutionAttributes attributes) {
        if (!(context.request() instanceof TransactWriteItemsRequest transaction)) {
            return context.request();
        }
        sent.add(transaction);
        if (!before.isEmpty()) {
            throw before.removeFirst().apply(transaction);
        }
        return forgetful
                ? transaction.toBuilder()
                        .clientRequestToken(UUID.randomUUID().toString())
                        .build()
                : transaction;
    }

    @Override
    public synchronized SdkResponse modifyResponse(Context.ModifyResponse context, ExecutionAttributes attributes) {
        if (lost > 0 && context.request() instanceof TransactWriteItemsRequest) {
            lost--;
            throw SdkClientException.create("The answer was lost");
        }
        return context.response();
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.dynamodb;

import dev.semel.claim.ClaimRef;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** Does something once, right before a request is sent. */
final class BeforeRequest implements ExecutionInterceptor {
    private final AtomicReference<Armed> armed = new AtomicReference<>();
    private volatile boolean run;

    private record Armed(Predicate<SdkRequest> which, Runnable action) {}

    /** Before the next such request. */
    void once(Predicate<SdkRequest> which, Runnable action) {
        run = false;
        armed.set(new Armed(which, action));
    }

    boolean hasRun() {
        return run;
    }

    @Override
    public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
        Armed next = armed.get();
        if (next != null && next.which.test(context.request()) && armed.compareAndSet(next, null)) {
            next.action.run();
            run = true;
        }
    }

    /** Whether a request deletes the row of this claim, alone or in a transaction. */
    static Predicate<SdkRequest> deleting(ClaimRef ref) {
        return request -> {
            if (request instanceof DeleteItemRequest deletion) {
                return deletion.key().equals(DynamoRow.keyOf(ref.digest()));
            }
            return request instanceof TransactWriteItemsRequest transaction
                    && transaction.transactItems().stream()
                            .anyMatch(item ->
                                    item.delete() != null && item.delete().key().equals(DynamoRow.keyOf(ref.digest())));
        };
    }

    /** Whether a request changes the row of this claim, alone. */
    static Predicate<SdkRequest> updating(ClaimRef ref) {
        return request ->
                request instanceof UpdateItemRequest update && update.key().equals(DynamoRow.keyOf(ref.digest()));
    }

    static Predicate<SdkRequest> deletingAChunk() {
        return request -> request instanceof DeleteItemRequest deletion && DynamoChunks.isChunk(deletion.key());
    }

    static Predicate<SdkRequest> aTransaction() {
        return TransactWriteItemsRequest.class::isInstance;
    }
}

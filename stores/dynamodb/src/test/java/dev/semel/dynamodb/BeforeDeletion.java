// SPDX-License-Identifier: Apache-2.0
package dev.semel.dynamodb;

import dev.semel.claim.ClaimRef;
import java.util.concurrent.atomic.AtomicReference;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/** Does something once, right before a claim is deleted. */
final class BeforeDeletion implements ExecutionInterceptor {
    private final Runnable action;
    private final AtomicReference<ClaimRef> armed = new AtomicReference<>();
    private volatile boolean run;

    BeforeDeletion(Runnable action) {
        this.action = action;
    }

    void arm(ClaimRef ref) {
        armed.set(ref);
    }

    boolean hasRun() {
        return run;
    }

    @Override
    public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
        ClaimRef ref = armed.get();
        if (ref != null && deletes(context.request(), ref) && armed.compareAndSet(ref, null)) {
            action.run();
            run = true;
        }
    }

    private static boolean deletes(SdkRequest request, ClaimRef ref) {
        if (request instanceof DeleteItemRequest deletion) {
            return deletion.key().equals(DynamoRow.keyOf(ref.digest()));
        }
        return request instanceof TransactWriteItemsRequest transaction
                && transaction.transactItems().stream()
                        .anyMatch(item ->
                                item.delete() != null && item.delete().key().equals(DynamoRow.keyOf(ref.digest())));
    }
}

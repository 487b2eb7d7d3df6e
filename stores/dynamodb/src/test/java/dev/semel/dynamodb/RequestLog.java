// SPDX-License-Identifier: Apache-2.0
package dev.semel.dynamodb;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/** Counts the requests that are really sent, and the permissions that they need. */
final class RequestLog implements ExecutionInterceptor {
    private final Map<String, Integer> requests = new TreeMap<>();
    private final Map<String, Integer> actions = new TreeMap<>();

    @Override
    public synchronized void beforeTransmission(Context.BeforeTransmission context, ExecutionAttributes attributes) {
        SdkRequest request = context.request();
        String name = request.getClass().getSimpleName().replace("Request", "");
        requests.merge(name, 1, Integer::sum);
        if (request instanceof TransactWriteItemsRequest transaction) {
            transaction.transactItems().stream()
                    .flatMap(RequestLog::actionsOf)
                    .forEach(action -> actions.merge(action, 1, Integer::sum));
        } else {
            actions.merge(name, 1, Integer::sum);
        }
    }

    private static Stream<String> actionsOf(TransactWriteItem item) {
        return Stream.of(
                        item.put() == null ? "" : "PutItem",
                        item.update() == null ? "" : "UpdateItem",
                        item.delete() == null ? "" : "DeleteItem",
                        item.conditionCheck() == null ? "" : "ConditionCheckItem")
                .filter(action -> !action.isEmpty());
    }

    /** The numbers of requests since the last call, by name. */
    synchronized Map<String, Integer> taken() {
        Map<String, Integer> taken = new TreeMap<>(requests);
        requests.clear();
        return taken;
    }

    synchronized Map<String, Integer> actions() {
        return new TreeMap<>(actions);
    }
}

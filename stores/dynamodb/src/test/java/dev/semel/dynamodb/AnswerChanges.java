// SPDX-License-Identifier: Apache-2.0
package dev.semel.dynamodb;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import software.amazon.awssdk.core.SdkResponse;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;

/** Changes the answers of DynamoDB Local: other dates, or answers that are lost after the request has taken effect. */
final class AnswerChanges implements ExecutionInterceptor {
    private volatile Supplier<Duration> shift = () -> Duration.ZERO;
    private volatile boolean losing;
    private volatile boolean halving;

    /** From now on, dates are wrong by this much, asked for each answer. */
    void shiftDates(Supplier<Duration> by) {
        shift = by;
    }

    void shiftDates(Duration by) {
        shift = () -> by;
    }

    /** Whether answers are lost from now on. */
    void lose(boolean answers) {
        losing = answers;
    }

    /** Whether batches of keys are processed in part only from now on. */
    void leaveKeysUnprocessed(boolean some) {
        halving = some;
    }

    @Override
    public SdkHttpResponse modifyHttpResponse(Context.ModifyHttpResponse context, ExecutionAttributes attributes) {
        SdkHttpResponse answer = context.httpResponse();
        Instant date = DateTimeFormatter.RFC_1123_DATE_TIME.parse(
                answer.firstMatchingHeader("Date").orElseThrow(), Instant::from);
        return answer.toBuilder()
                .putHeader(
                        "Date",
                        DateTimeFormatter.RFC_1123_DATE_TIME.format(
                                date.plus(shift.get()).atOffset(ZoneOffset.UTC)))
                .build();
    }

    @Override
    public SdkResponse modifyResponse(Context.ModifyResponse context, ExecutionAttributes attributes) {
        if (losing) {
            throw SdkClientException.create("The answer was lost");
        }
        return halving && context.response() instanceof BatchGetItemResponse found ? half(found) : context.response();
    }

    /** As if the table had been too busy for the second half of the items. */
    private static BatchGetItemResponse half(BatchGetItemResponse found) {
        String table = found.responses().keySet().iterator().next();
        List<Map<String, AttributeValue>> items = found.responses().get(table);
        int kept = (items.size() + 1) / 2;
        if (kept == items.size()) {
            return found;
        }
        KeysAndAttributes left = KeysAndAttributes.builder()
                .keys(items.subList(kept, items.size()).stream()
                        .map(item -> Map.of(DynamoRow.KEY, item.get(DynamoRow.KEY)))
                        .toList())
                .build();
        return found.toBuilder()
                .responses(Map.of(table, items.subList(0, kept)))
                .unprocessedKeys(Map.of(table, left))
                .build();
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.dynamodb;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.function.Supplier;
import software.amazon.awssdk.core.SdkResponse;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.SdkHttpResponse;

/** Changes the answers of DynamoDB Local: other dates, or answers that are lost after the request has taken effect. */
final class AnswerChanges implements ExecutionInterceptor {
    private volatile Supplier<Duration> shift = () -> Duration.ZERO;
    private volatile boolean losing;

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
        return context.response();
    }
}

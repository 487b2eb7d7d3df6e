// SPDX-License-Identifier: Apache-2.0
package dev.semel.dynamodb;

import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.SdkResponse;
import software.amazon.awssdk.http.SdkHttpResponse;

/** The {@code Date} of an answer, in microseconds since 1970; null if it has none. */
final class AnswerDate {
    private AnswerDate() {}

    static @Nullable Long of(SdkResponse answer) {
        return of(answer.sdkHttpResponse());
    }

    /** Of the last answer, if DynamoDB answered at all. */
    static @Nullable Long of(Throwable failure) {
        return DynamoErrors.unwrapped(failure) instanceof AwsServiceException answered
                        && answered.awsErrorDetails() != null
                ? of(answered.awsErrorDetails().sdkHttpResponse())
                : null;
    }

    private static @Nullable Long of(@Nullable SdkHttpResponse response) {
        String date =
                response == null ? null : response.firstMatchingHeader("Date").orElse(null);
        if (date == null) {
            return null;
        }
        try {
            return TimeUnit.SECONDS.toMicros(DateTimeFormatter.RFC_1123_DATE_TIME
                    .parse(date, Instant::from)
                    .getEpochSecond());
        } catch (DateTimeParseException e) {
            return null;
        }
    }
}

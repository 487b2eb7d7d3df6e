// SPDX-License-Identifier: Apache-2.0
package dev.semel.simulation;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/** The answers of simulated servers: dates in whole seconds, by the server's own clock, and errors. */
final class DynamoAnswers {
    private static final long HOUR_SECONDS = 3_600;

    /** No two wrong dates agree with each other. */
    private static final long BETWEEN_OUTLIERS = 10;

    private final Scheduler scheduler;
    private final Network network;
    private final Dice dice;
    private final DynamoSettings settings;
    private final Map<Long, String> dates = new HashMap<>();
    private long outliers;

    DynamoAnswers(Scheduler scheduler, Network network, Dice dice, DynamoSettings settings) {
        this.scheduler = scheduler;
        this.network = network;
        this.dice = dice;
        this.settings = settings;
    }

    /** The head of an answer. */
    SdkHttpResponse head(DynamoOrigin origin, int status) {
        long ahead = origin.process() == null ? 0 : settings.ahead().get(origin.server());
        Instant time = scheduler.instant().plusNanos(ahead);
        if (origin.process() != null && network.isFaulty() && dice.chance(settings.outliers())) {
            long off = HOUR_SECONDS + BETWEEN_OUTLIERS * ++outliers;
            time = time.plusSeconds(dice.chance(0.5) ? off : -off);
        }
        Instant date = time;
        String text = dates.computeIfAbsent(
                date.getEpochSecond(),
                any -> DateTimeFormatter.RFC_1123_DATE_TIME.format(date.atOffset(ZoneOffset.UTC)));
        return SdkHttpResponse.builder()
                .statusCode(status)
                .putHeader("Date", text)
                .build();
    }

    private AwsErrorDetails details(String code, DynamoOrigin origin, int status) {
        return AwsErrorDetails.builder()
                .errorCode(code)
                .sdkHttpResponse(head(origin, status))
                .build();
    }

    RuntimeException error(String code, int status, DynamoOrigin origin) {
        return DynamoDbException.builder()
                .message("Simulated: " + code)
                .statusCode(status)
                .numAttempts(origin.attempt())
                .writableStackTrace(false)
                .awsErrorDetails(details(code, origin, status))
                .build();
    }

    /** @param item the item that exists; null if there is none or it was not asked for */
    RuntimeException conditionFailed(@Nullable Map<String, AttributeValue> item, DynamoOrigin origin) {
        return ConditionalCheckFailedException.builder()
                .item(item)
                .message("Simulated: the condition failed")
                .statusCode(400)
                .numAttempts(origin.attempt())
                .writableStackTrace(false)
                .awsErrorDetails(details("ConditionalCheckFailedException", origin, 400))
                .build();
    }

    /** @param codes why each write of a transaction did not happen, or "None" */
    RuntimeException cancelled(List<String> codes, DynamoOrigin origin) {
        return TransactionCanceledException.builder()
                .cancellationReasons(codes.stream()
                        .map(code -> CancellationReason.builder().code(code).build())
                        .toList())
                .message("Simulated: the transaction was cancelled")
                .statusCode(400)
                .numAttempts(origin.attempt())
                .writableStackTrace(false)
                .awsErrorDetails(details("TransactionCanceledException", origin, 400))
                .build();
    }

    /** There was no answer. */
    static RuntimeException silence(int attempts) {
        return SdkClientException.builder()
                .message("Simulated: no answer")
                .numAttempts(attempts)
                .writableStackTrace(false)
                .build();
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.dynamodb;

import dev.semel.claim.StoreException;
import dev.semel.claim.StoreException.Kind;
import java.util.Set;
import java.util.concurrent.CompletionException;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkException;

/**
 * Classifies failures by DynamoDB's error codes, never by message. If in doubt, an error is {@link Kind#UNREACHABLE}: sending the
 * same command again is always safe, treating it as lost is not.
 */
final class DynamoErrors {
    private static final Set<String> BUSY = Set.of(
            "ProvisionedThroughputExceededException",
            "ThrottlingException",
            "RequestLimitExceeded",
            "LimitExceededException",
            "TransactionConflictException",
            "TransactionInProgressException");

    private static final Set<String> REJECTED = Set.of(
            "ValidationException",
            "ItemCollectionSizeLimitExceededException",
            "ResourceNotFoundException",
            "AccessDeniedException",
            "SerializationException");

    private DynamoErrors() {}

    /** @param action the permission that the request needs, such as {@code dynamodb:PutItem} */
    static StoreException translate(Throwable failure, String action, String table) {
        Throwable cause = unwrapped(failure);
        if (cause instanceof StoreException known) {
            return known;
        }
        if (cause instanceof AwsServiceException answered) {
            return answered(answered, action, table);
        }
        return new StoreException(
                Kind.UNREACHABLE,
                "DynamoDB did not answer %s: %s. Check the region, the network and the credentials"
                        .formatted(action, cause.getMessage()),
                cause);
    }

    static Throwable unwrapped(Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    private static StoreException answered(AwsServiceException failure, String action, String table) {
        String code = failure.awsErrorDetails() == null
                ? ""
                : String.valueOf(failure.awsErrorDetails().errorCode());
        Kind kind = kindOf(code, failure);
        String message = switch (kind) {
            case BUSY -> "DynamoDB is busy";
            case REJECTED -> "DynamoDB rejected the request";
            case UNREACHABLE -> "DynamoDB did not carry out the request";
        };
        return new StoreException(
                kind,
                "%s (%s, status %d, %s)%s"
                        .formatted(message, code, failure.statusCode(), action, fix(code, action, table)),
                failure);
    }

    /** If the SDK sent the request more than once, the last answer says nothing about the earlier attempts. */
    private static Kind kindOf(String code, SdkException failure) {
        if (isRepeated(failure)) {
            return Kind.UNREACHABLE;
        }
        return BUSY.contains(code) ? Kind.BUSY : REJECTED.contains(code) ? Kind.REJECTED : Kind.UNREACHABLE;
    }

    /** Whether the SDK sent the request more than once. */
    static boolean isRepeated(SdkException failure) {
        return failure.numAttempts() != null && failure.numAttempts() > 1;
    }

    /** What a user can do, for failures of which the usual cause is known. */
    private static String fix(String code, String action, String table) {
        return switch (code) {
            case "ResourceNotFoundException" ->
                ". The table %s or its index does not exist in this region: create it with %s, ./semel migrate or %s%s"
                        .formatted(
                                table,
                                "DynamoMigration",
                                DynamoTable.TEMPLATE,
                                action.equals(DynamoCalls.TRANSACTION)
                                        ? ". Or a table of your items does not exist: check their names"
                                        : "");
            case "AccessDeniedException" ->
                ". The credentials need the permission %s on the table %s and its index%s: see %s"
                        .formatted(
                                action,
                                table,
                                action.equals(DynamoCalls.TRANSACTION) ? ", and on the tables of your items" : "",
                                DynamoTable.POLICY);
            case "ValidationException" ->
                action.equals(DynamoCalls.TRANSACTION)
                        ? ". If you added items, check their tables, key attributes, expressions and sizes (400 KB)"
                        : "";
            case "ItemCollectionSizeLimitExceededException" ->
                ". A partition of a table with a local secondary index has at most 10 GB: remove the index from %s, or"
                                .formatted(table)
                        + " use another partition key for your items";
            case "ProvisionedThroughputExceededException", "ThrottlingException", "RequestLimitExceeded" ->
                ". The table's or the account's throughput is exceeded: use on-demand capacity, or raise the limit";
            case "UnrecognizedClientException", "ExpiredTokenException", "InvalidSignatureException" ->
                ". The credentials are invalid or have expired";
            default -> "";
        };
    }
}

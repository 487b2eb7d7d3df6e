// SPDX-License-Identifier: Apache-2.0
package dev.semel.testservers;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** Errors of Amazon DynamoDB that DynamoDB Local never answers with. */
final class DynamoRefusals {
    /** What a request may be refused for. */
    enum Kind {
        READ,
        WRITE,
        TRANSACTION
    }

    private DynamoRefusals() {}

    static Kind kindOf(HttpMessage request) {
        String target = request.header("X-Amz-Target").orElse("");
        String operation = target.substring(target.lastIndexOf('.') + 1);
        return switch (operation) {
            case "PutItem", "UpdateItem", "DeleteItem" -> Kind.WRITE;
            case "TransactWriteItems" -> Kind.TRANSACTION;
            default -> Kind.READ;
        };
    }

    static HttpMessage throttled() {
        return ThreadLocalRandom.current().nextBoolean()
                ? refused(
                        "com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException",
                        "The level of configured provisioned throughput for the table was exceeded.")
                : refused("com.amazon.coral.availability#ThrottlingException", "Rate exceeded");
    }

    static HttpMessage conflict(Kind kind) {
        return kind == Kind.TRANSACTION
                ? message("400 Bad Request", """
                        {"__type":"com.amazonaws.dynamodb.v20120810#TransactionCanceledException",\
                        "Message":"Transaction cancelled, please refer cancellation reasons for specific reasons [TransactionConflict]",\
                        "CancellationReasons":[{"Code":"TransactionConflict","Message":"Transaction is ongoing for the item"}]}""")
                : refused(
                        "com.amazonaws.dynamodb.v20120810#TransactionConflictException",
                        "Transaction is ongoing for the item");
    }

    static HttpMessage error() {
        return message("500 Internal Server Error", """
                {"__type":"com.amazonaws.dynamodb.v20120810#InternalServerError","message":"Internal server error"}""");
    }

    private static HttpMessage refused(String type, String message) {
        return message("400 Bad Request", """
                {"__type":"%s","message":"%s"}""".formatted(type, message));
    }

    private static HttpMessage message(String status, String body) {
        return new HttpMessage(
                List.of("HTTP/1.1 " + status, "Content-Type: application/x-amz-json-1.0"),
                body.getBytes(StandardCharsets.UTF_8));
    }
}

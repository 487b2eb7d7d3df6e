// SPDX-License-Identifier: Apache-2.0
package dev.semel.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.claim.StoreException;
import dev.semel.claim.StoreException.Kind;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;

class DynamoErrorsTest {
    private static Throwable answer(String code, int status, int attempts) {
        return new CompletionException(DynamoDbException.builder()
                .message("the service's text")
                .statusCode(status)
                .numAttempts(attempts)
                .awsErrorDetails(AwsErrorDetails.builder().errorCode(code).build())
                .build());
    }

    private static StoreException translated(Throwable failure) {
        return DynamoErrors.translate(failure, "dynamodb:PutItem", "claims");
    }

    @Test
    void throttlingAndConflictsAreBusy() {
        for (String code : List.of(
                "ProvisionedThroughputExceededException",
                "ThrottlingException",
                "RequestLimitExceeded",
                "TransactionConflictException")) {
            assertThat(translated(answer(code, 400, 1)).kind()).as(code).isEqualTo(Kind.BUSY);
        }
    }

    /** The answer to an earlier attempt may have been lost after it had taken effect. */
    @Test
    void whatTheSdkHasSentMoreThanOnceIsUnknown() {
        for (String code :
                List.of("ProvisionedThroughputExceededException", "ValidationException", "AccessDeniedException")) {
            assertThat(translated(answer(code, 400, 2)).kind()).as(code).isEqualTo(Kind.UNREACHABLE);
        }
    }

    @Test
    void whatCanNeverSucceedIsRejected() {
        for (String code : List.of("ValidationException", "ResourceNotFoundException", "AccessDeniedException")) {
            assertThat(translated(answer(code, 400, 1)).kind()).as(code).isEqualTo(Kind.REJECTED);
        }
    }

    @Test
    void serverErrorsTimeoutsAndLostConnectionsAreUnknown() {
        assertThat(translated(answer("InternalServerError", 500, 1)).kind()).isEqualTo(Kind.UNREACHABLE);
        assertThat(translated(answer("SomethingNew", 400, 1)).kind()).isEqualTo(Kind.UNREACHABLE);
        assertThat(translated(ApiCallTimeoutException.create(2_000)).kind()).isEqualTo(Kind.UNREACHABLE);
        assertThat(translated(SdkClientException.create("Unable to execute HTTP request"))
                        .kind())
                .isEqualTo(Kind.UNREACHABLE);
    }

    @Test
    void messagesNameTheFix() {
        assertThat(translated(answer("ResourceNotFoundException", 400, 1)))
                .hasMessageContaining("The table claims")
                .hasMessageContaining("table.template.json");
        assertThat(translated(answer("AccessDeniedException", 400, 1)))
                .hasMessageContaining("the permission dynamodb:PutItem on the table claims")
                .hasMessageContaining("policy.json");
        assertThat(translated(answer("ThrottlingException", 400, 1))).hasMessageContaining("on-demand capacity");
        assertThat(translated(answer("ExpiredTokenException", 400, 1))).hasMessageContaining("have expired");
        assertThat(DynamoErrors.translate(answer("AccessDeniedException", 400, 1), DynamoCalls.TRANSACTION, "claims"))
                .hasMessageContaining("and on the tables of your items");
        assertThat(DynamoErrors.translate(answer("ValidationException", 400, 1), DynamoCalls.TRANSACTION, "claims"))
                .hasMessageContaining("check their tables, key attributes, expressions and sizes");
        assertThat(translated(answer("ItemCollectionSizeLimitExceededException", 400, 1)))
                .hasMessageContaining("local secondary index");
        assertThat(translated(SdkClientException.create("Unable to load credentials")))
                .hasMessageContaining("Unable to load credentials")
                .hasMessageContaining("Check the region, the network and the credentials");
    }

    @Test
    void aKnownFailureIsKept() {
        StoreException known = new StoreException(Kind.BUSY, "known");

        assertThat(translated(new CompletionException(known))).isSameAs(known);
    }
}

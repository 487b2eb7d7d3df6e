// SPDX-License-Identifier: Apache-2.0
package dev.semel.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpServer;
import dev.semel.claim.StoreException;
import dev.semel.claim.StoreException.Kind;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** Errors as DynamoDB sends them over HTTP. DynamoDB Local is never too busy. */
class DynamoFailingServerTest {
    private final AtomicInteger requests = new AtomicInteger();
    private HttpServer server;
    private volatile int status;
    private volatile String code;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            requests.incrementAndGet();
            exchange.getRequestBody().readAllBytes();
            byte[] body = "{\"__type\":\"com.amazonaws.dynamodb.v20120810#%s\",\"message\":\"no\"}"
                    .formatted(code)
                    .getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "application/x-amz-json-1.0");
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private StoreException failure(int withStatus, String withCode, int attempts) {
        status = withStatus;
        code = withCode;
        requests.set(0);
        URI endpoint = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
        try (DynamoDbAsyncClient client = DynamoAccess.client(endpoint, attempts)) {
            DynamoClock clock = new DynamoClock(System::nanoTime);
            DynamoCalls calls = new DynamoCalls(client, "claims", clock, DynamoAccess.PATIENT);
            StoreException failure = failureOf(calls);
            assertThat(requests).hasValue(attempts);
            assertThat(failureOf(calls).kind()).isEqualTo(failure.kind());
            assertThat(clock.now()).as("errors tell the time too").isNotNull();
            return failure;
        }
    }

    private static StoreException failureOf(DynamoCalls calls) {
        return catchThrowableOfType(StoreException.class, () -> DynamoFutures.await(calls.get(DynamoEpoch.KEY)));
    }

    @Test
    void throttlingIsBusyAndNamesTheFix() {
        assertThat(failure(400, "ProvisionedThroughputExceededException", 1))
                .hasMessageContaining("DynamoDB is busy")
                .hasMessageContaining("on-demand capacity")
                .extracting(StoreException::kind)
                .isEqualTo(Kind.BUSY);
        assertThat(failure(400, "ThrottlingException", 1).kind()).isEqualTo(Kind.BUSY);
    }

    @Test
    void throttlingAfterRepetitionsIsUnknown() {
        assertThat(failure(400, "ProvisionedThroughputExceededException", 2).kind())
                .isEqualTo(Kind.UNREACHABLE);
    }

    @Test
    void aServerErrorIsUnknown() {
        assertThat(failure(500, "InternalServerError", 1).kind()).isEqualTo(Kind.UNREACHABLE);
    }

    @Test
    void aMissingPermissionIsRejectedAndNamed() {
        assertThat(failure(400, "AccessDeniedException", 1))
                .hasMessageContaining("dynamodb:GetItem")
                .extracting(StoreException::kind)
                .isEqualTo(Kind.REJECTED);
    }
}

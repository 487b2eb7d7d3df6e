// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.testservers.DynamoServer;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** A table in DynamoDB Local, as a server's settings name it. */
record DynamoTable(DynamoServer server, String name) {
    /** DynamoDB Local accepts letters and digits only. */
    private static final String KEY = "AKIA" + Marks.SENTINEL + Marks.unique();

    private static final String SECRET = Marks.text("aws-secret");

    /** A new table on the shared server. */
    static DynamoTable create() {
        return create(DynamoServer.shared());
    }

    /** A new table, which {@code semel migrate} creates. */
    static DynamoTable create(DynamoServer server) {
        DynamoTable table = new DynamoTable(server, "acceptance_" + Marks.unique());
        SemelProcess.Ended migrated = SemelProcess.run(table.command(), "migrate");
        assertThat(migrated.exitCode()).as(migrated.output()).isZero();
        return table;
    }

    String url() {
        return "dynamodb://eu-central-1/%s?endpoint=%s".formatted(name, server.endpoint());
    }

    /** How a command is run on this table. */
    Launch command() {
        return withCredentials(Launch.in(Scratch.folder("data")).with("--database-url", url()));
    }

    /** How a server is started on this table. */
    Launch launch(Configuration configuration) {
        return command()
                .with("--config", configuration.file().toString())
                .withVariable("IDEMPOTENCY_SECRET", Marks.text("idempotency-secret-of-more-than-32-bytes"));
    }

    /** Deletes the table, as somebody else might. DynamoDB Local does not check signatures. */
    void delete() {
        HttpRequest request = HttpRequest.newBuilder(server.endpoint())
                .header("Content-Type", "application/x-amz-json-1.0")
                .header("X-Amz-Target", "DynamoDB_20120810.DeleteTable")
                .header(
                        "Authorization",
                        "AWS4-HMAC-SHA256 Credential=any/20260101/eu-central-1/dynamodb/aws4_request, SignedHeaders=host,"
                                + " Signature=any")
                .POST(HttpRequest.BodyPublishers.ofString(
                        new JsonObject().put("TableName", name).encode()))
                .build();
        HttpResponse<String> answer = HttpClient.newHttpClient()
                .sendAsync(request, HttpResponse.BodyHandlers.ofString())
                .join();
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    }

    static Launch withCredentials(Launch launch) {
        return launch.withVariable("AWS_ACCESS_KEY_ID", KEY).withVariable("AWS_SECRET_ACCESS_KEY", SECRET);
    }
}

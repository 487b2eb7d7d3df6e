// SPDX-License-Identifier: Apache-2.0
package dev.semel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.server.InProcessServer.Reply;
import dev.semel.testservers.DatabaseKind;
import dev.semel.testservers.DatabaseServer;
import dev.semel.testservers.EachDatabase;
import dev.semel.testservers.PostgresServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;

/** The server on PostgreSQL, MariaDB and MySQL. */
class ServerDatabasesTest {
    private static final String CLAIM = "{\"scope\":\"s\",\"key\":\"%s\"}";

    @TempDir
    Path folder;

    @ParameterizedTest
    @EachDatabase(except = DatabaseKind.SQLITE)
    void claimsAndReplays(DatabaseKind kind) {
        DatabaseServer database = kind.sharedServer();
        try (InProcessServer server = over(database, database.createDatabase("semel_server"))) {
            Reply first = server.post("/v1/claims", CLAIM.formatted("a"));
            assertThat(first.status()).isEqualTo(201);
            assertThat(server.post(
                                    "/v1/claims/%s/succeed".formatted(first.text("claim_id")),
                                    "{\"token\":\"%s\",\"result\":{\"n\":1}}".formatted(first.text("token")))
                            .status())
                    .isEqualTo(200);
            assertThat(server.post("/v1/claims", CLAIM.formatted("a")).header("X-Idempotency-Status"))
                    .isEqualTo("HIT");
        }
    }

    @ParameterizedTest
    @EachDatabase(except = DatabaseKind.SQLITE)
    void aWebhookThatIsDeliveredTwiceIsOnceInTheInbox(DatabaseKind kind) {
        DatabaseServer database = kind.sharedServer();
        String delivery =
                "{\"id\":\"WH-1\",\"event_type\":\"PAYMENT.CAPTURE.COMPLETED\",\"resource\":{\"id\":\"2GG\"}}";
        try (InProcessServer server = over(database, database.createDatabase("semel_inbox"))) {
            assertThat(server.post("/webhooks/paypal", delivery).text("status")).isEqualTo("processed");
            assertThat(server.post("/webhooks/paypal", delivery).text("status")).isEqualTo("already_processed");
            assertThat(server.get("/v1/inbox").body()).containsOnlyOnce("\"WH-1\"");
        }
    }

    @Test
    void aDatabaseOutageIsReportedAndEnds() {
        try (PostgresServer database = PostgresServer.start();
                InProcessServer server = over(database, database.jdbcUrl())) {
            assertThat(server.post("/v1/claims", CLAIM.formatted("before")).status())
                    .isEqualTo(201);

            database.kill();

            Reply unavailable = server.send(server.posting("/v1/claims", CLAIM.formatted("unavailable")));
            assertThat(unavailable.status()).isEqualTo(503);
            assertThat(unavailable.problem()).isEqualTo("store-unavailable");
            assertThat(Integer.parseInt(unavailable.header("Retry-After"))).isPositive();
            assertThat(server.send(server.request("/health/ready").build()).status())
                    .isEqualTo(503);
            assertThat(server.get("/health/live").status()).isEqualTo(200);

            database.restart();

            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> server.get("/health").status() == 200);
            assertThat(server.post("/v1/claims", CLAIM.formatted("unavailable")).status())
                    .as("nothing was claimed while it was unavailable")
                    .isEqualTo(201);
        }
    }

    private InProcessServer over(DatabaseServer database, String url) {
        return InProcessServer.in(
                folder,
                "",
                Map.of(
                        "SEMEL_DATABASE_URL",
                        url,
                        "SEMEL_DATABASE_USER",
                        database.user(),
                        "SEMEL_DATABASE_PASSWORD",
                        database.password()));
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.testservers.PostgresServer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** PostgreSQL's primary is lost, and its standby takes over: what docs/scale.md promises. */
@BlackBox
@Order(3)
class FailoverTest {
    private static final int BETWEEN = 100;
    private static final Duration LIMIT = Duration.ofMinutes(1);

    /** One database by way of whichever of the two servers is the primary. */
    private static Database database(PostgresServer primary, PostgresServer standby) {
        Database first = Database.on(primary);
        return new Database(
                first.url()
                                .replace(
                                        "127.0.0.1:" + primary.port(),
                                        "127.0.0.1:%d,127.0.0.1:%d".formatted(primary.port(), standby.port()))
                        + "?targetServerType=primary&connectTimeout=2",
                first.user(),
                first.password());
    }

    private static RunningServer serverOn(Database database) {
        Configuration configuration = Configuration.development();
        return RunningServer.start(Environment.launch(configuration, database, null), configuration, database);
    }

    @Test
    void aSynchronousStandbyLosesNothing() {
        try (PostgresServer primary = PostgresServer.start();
                PostgresServer standby = primary.startStandby()) {
            primary.waitForStandby();
            try (RunningServer first = serverOn(database(primary, standby));
                    RunningServer second = first.second();
                    Load load = new Load(List.of(first, second), true)) {
                load.start();
                load.awaitMore(BETWEEN);
                primary.kill();
                standby.promote();
                load.awaitMore(BETWEEN);
                load.stop();
                load.verify();
            }
        }
    }

    /** The standby was behind when the primary was lost. What it had not received is gone, and runs again. */
    @Test
    void anAsynchronousStandbyCanLoseWhatWasAcknowledged() {
        try (PostgresServer primary = PostgresServer.start();
                PostgresServer standby = primary.startStandby();
                RunningServer server = serverOn(database(primary, standby))) {
            Caller caller = server.caller();
            primary.waitForStandby();
            String kept = Ledger.ingest(caller, "kept").get("id");
            standby.kill();
            primary.stopWaitingForStandby();
            String lost = Ledger.ingest(caller, "lost").get("id");
            JsonObject claim = Claims.fresh();
            assertThat(Claims.succeed(caller, Claims.granted(caller, claim), "charged")
                            .status())
                    .isEqualTo(200);
            primary.kill();
            standby.restart();
            standby.promote();

            await("the server finds the new primary").atMost(LIMIT).until(() -> isReady(server));
            // An instance without a cache of what was answered before.
            try (RunningServer second = server.second()) {
                Caller there = second.here(caller);
                assertThat(Ledger.ingest(there, "kept").get("id")).isEqualTo(kept);
                assertThat(Ledger.ingest(there, "lost").get("id"))
                        .as("the event was written again")
                        .isNotEqualTo(lost);
                assertThat(Claims.claim(there, claim).status())
                        .as("the claim is granted again, so its work runs again")
                        .isEqualTo(201);
            }
        }
    }

    private static boolean isReady(RunningServer server) {
        try {
            return server.nobody().attempt(Ask.get("/health/ready")).status() == 200;
        } catch (IOException e) {
            return false;
        }
    }
}

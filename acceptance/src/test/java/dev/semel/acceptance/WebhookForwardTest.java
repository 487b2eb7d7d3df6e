// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.testservers.WebhookTarget;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Webhooks that are forwarded: settled by the target's answer, and not lost by a server that dies. */
@BlackBox
@ParameterizedClass
@EnumSource(
        value = Environment.class,
        names = {"SQLITE", "POSTGRES", "MARIADB"})
class WebhookForwardTest {
    private static final Duration LIMIT = Duration.ofMinutes(2);

    @Parameter
    Environment environment;

    private WebhookTarget target;
    private RunningServer server;

    @BeforeEach
    void start() {
        target = WebhookTarget.start();
        server = environment.fresh(Configuration.with("""
                webhooks:
                  paypal: {lease_seconds: 2, sink: {forward: "%s", timeout_seconds: 20}}
                """.formatted(target.uri())));
    }

    @AfterEach
    void stop() {
        server.close();
        target.close();
    }

    @Test
    void aFirstThatFailsFailsThoseThatWait() {
        Caller caller = server.caller();
        Ask delivery = Webhooks.paypal(caller);
        target.answer(500);
        target.hold();
        CompletableFuture<?> released = CompletableFuture.runAsync(() -> {
            await().atMost(LIMIT)
                    .until(() -> received() >= 5 && !target.received().isEmpty());
            target.release();
        });

        List<Answer> answers = Crowd.of(5, i -> Webhooks.once(caller, delivery));

        released.join();
        assertThat(answers).allSatisfy(answer -> {
            Problem.isProblem(answer, 503);
            assertThat(answer.header("Retry-After")).matches("[1-9][0-9]*");
        });
        int failed = target.received().size();
        target.answer(200);
        assertThat(Webhooks.status(caller.send(delivery))).isEqualTo("processed");
        assertThat(Webhooks.status(caller.send(delivery))).isEqualTo("already_processed");
        assertThat(target.received()).hasSize(failed + 1);
        assertThat(target.received())
                .extracting(WebhookTarget.Received::key)
                .containsOnly(target.received().get(0).key());
        assertThat(attempt(failed)).isGreaterThan(1);
    }

    private int attempt(int position) {
        return Integer.parseInt(target.received().get(position).attempt());
    }

    private long received() {
        return server.process()
                .output()
                .lines()
                .filter(line -> line.contains("event=\"WEBHOOK_RECEIVED\""))
                .count();
    }

    /** At least once to the target, which goes by the key; and no duplicate is processed once it has answered. */
    @Test
    void aServerThatDiesLeavesTheEventToTheNextDelivery() {
        Caller caller = server.caller();
        Ask delivery = Webhooks.paypal(caller);
        target.hold();
        CompletableFuture<?> dying = CompletableFuture.runAsync(() -> {
            try {
                caller.attempt(delivery);
            } catch (IOException expected) {
                // Its server was killed.
            }
        });
        await().atMost(LIMIT).until(() -> target.received().size() == 1);

        server.process().kill();
        dying.join();
        target.release();
        server.process().start();

        await().atMost(LIMIT)
                .until(() -> Webhooks.status(Webhooks.once(caller, delivery)).equals("processed"));
        assertThat(Webhooks.status(caller.send(delivery))).isEqualTo("already_processed");
        assertThat(target.received()).hasSize(2);
        assertThat(attempt(0)).isEqualTo(1);
        assertThat(attempt(1)).isGreaterThan(1);
        assertThat(target.received().get(1).key())
                .isEqualTo(target.received().get(0).key());
    }

    @Test
    void whileTheFirstIsProcessedDuplicatesWaitForIt() {
        Caller caller = server.caller();
        Ask delivery = Webhooks.paypal(caller);

        List<Answer> answers = Crowd.of(5, i -> caller.send(delivery));

        assertThat(answers).extracting(Answer::status).containsOnly(200);
        assertThat(target.received()).singleElement().satisfies(received -> {
            assertThat(new JsonObject(received.body())).isEqualTo(new JsonObject(delivery.text()));
            assertThat(received.verified()).isEqualTo("false");
        });
    }
}

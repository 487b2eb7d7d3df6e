// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import static dev.semel.acceptance.WebhookSenders.FORWARDED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.testservers.WebhookTarget;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Forwarded webhooks, with two processes over one database, or one if the database is embedded. The target's response settles
 * them, and a killed server loses none.
 */
@BlackBox
@ParameterizedClass
@EnumSource(
        value = Environment.class,
        names = {"SQLITE", "POSTGRES", "MARIADB", "DYNAMODB"})
class WebhookForwardTest {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final WebhookTarget TARGET = WebhookSenders.TARGET;

    @Parameter
    Environment environment;

    private RunningServer first;
    private RunningServer second;
    private Caller here;
    private Caller there;
    private Ask delivery;

    @BeforeEach
    void start() {
        first = environment.shared();
        second = environment == Environment.SQLITE ? first : environment.sharedSecond();
        here = first.caller();
        there = second.here(here);
        delivery = WebhookSenders.paypal(here, FORWARDED);
    }

    @AfterEach
    void everythingIsAnsweredAgain() {
        TARGET.answer(200);
        TARGET.release();
    }

    @Test
    void fiveDeliveriesAtOnceAreForwardedOnce() {
        List<Answer> answers = Crowd.of(5, i -> (i % 2 == 0 ? here : there).send(delivery));

        assertThat(answers)
                .extracting(Webhooks::status)
                .containsExactlyInAnyOrder(
                        "processed",
                        "already_processed",
                        "already_processed",
                        "already_processed",
                        "already_processed");
        assertThat(received())
                .singleElement()
                .satisfies(received -> assertThat(received.verified()).isEqualTo("true"));
    }

    @Test
    void thePrefixOfALogLineLeadsToTheClaim() {
        Answer sent = here.send(delivery);
        String prefix = sent.header("X-Idempotency-Key");
        assertThat(first.process().output())
                .contains("provider=\"%s\" dedup_key_prefix=\"%s\" status=\"processed\"".formatted(FORWARDED, prefix));

        assertThat(there.get("/v1/keys?prefix=" + prefix).json().getJsonArray("keys"))
                .as("the prefix %s", prefix)
                .hasSize(1);
    }

    @Test
    void aFirstThatFailsFailsThoseThatWait() {
        TARGET.answer(500);
        TARGET.hold();
        CompletableFuture<?> released = CompletableFuture.runAsync(() -> {
            await().atMost(LIMIT).until(() -> logged() == 5 && !received().isEmpty());
            TARGET.release();
        });

        List<Answer> answers = Crowd.of(5, i -> Webhooks.once(i % 2 == 0 ? here : there, delivery));

        released.join();
        assertThat(answers).allSatisfy(answer -> {
            Problem.isProblem(answer, 503);
            assertThat(answer.header("Retry-After")).matches("[1-9][0-9]*");
        });
        int failed = received().size();
        TARGET.answer(200);
        assertThat(Webhooks.status(there.send(delivery))).isEqualTo("processed");
        assertThat(Webhooks.status(here.send(delivery))).isEqualTo("already_processed");
        assertThat(received()).hasSize(failed + 1);
        assertThat(received())
                .extracting(WebhookTarget.Received::key)
                .containsOnly(received().get(0).key());
        assertThat(attempt(failed)).isGreaterThan(1);
    }

    /** How many of this test's deliveries the servers have logged. */
    private long logged() {
        String line = "event=\"WEBHOOK_RECEIVED\" provider=\"%s\" payload_hash=\"%s\""
                .formatted(FORWARDED, Configuration.sha256(delivery.text()));
        return Stream.of(first, second)
                .distinct()
                .flatMap(server -> server.process().output().lines())
                .filter(each -> each.contains(line))
                .count();
    }

    /** The target receives an event at least once. After its response, duplicates are not forwarded. */
    @Test
    void aServerThatDiesLeavesTheEventToTheNextDelivery() {
        boolean embedded = environment == Environment.SQLITE;
        try (RunningServer dying = embedded ? environment.fresh(Configuration.development()) : first.second()) {
            TARGET.hold();
            CompletableFuture<?> unanswered = CompletableFuture.runAsync(() -> {
                try {
                    dying.here(here).attempt(delivery);
                } catch (IOException expected) {
                    // The server was killed.
                }
            });
            await().atMost(LIMIT).until(() -> received().size() == 1);

            dying.process().kill();
            unanswered.join();
            TARGET.release();
            if (embedded) {
                dying.process().start();
            }

            Caller next = embedded ? dying.here(here) : here;
            await().atMost(LIMIT)
                    .until(() -> Webhooks.status(Webhooks.once(next, delivery)).equals("processed"));
            assertThat(Webhooks.status(next.send(delivery))).isEqualTo("already_processed");
            assertThat(received()).hasSize(2);
            assertThat(attempt(0)).isEqualTo(1);
            assertThat(attempt(1)).isGreaterThan(1);
            assertThat(received().get(1).key()).isEqualTo(received().get(0).key());
        }
    }

    /** The requests of this test that the target received. */
    private List<WebhookTarget.Received> received() {
        return TARGET.received().stream()
                .filter(each -> each.body().equals(delivery.text()))
                .toList();
    }

    private int attempt(int position) {
        return Integer.parseInt(received().get(position).attempt());
    }
}

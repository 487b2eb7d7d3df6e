// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vertx.core.json.JsonObject;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Call events after restarts, and on servers with other settings. */
@BlackBox
class CallEventRestartsTest {
    @Test
    void findsARepeatByTheIndexWhenNoCacheKnowsIt() {
        try (RunningServer server = Environment.SQLITE.fresh(Configuration.development())) {
            Configuration.Site site = server.configuration().signingSite();
            Ask ask = Calls.signed(site, Calls.body(site.id()));
            Answer first = server.nobody().send(ask);
            // Unless this machine pauses for so long that the cache is not used.
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> server.nobody().send(ask).get("reason").equals("replay_cache"));

            server.process().restart();
            Answer second = server.nobody().send(ask);

            assertThat(second.json())
                    .isEqualTo(new JsonObject()
                            .put("status", "noop")
                            .put("call_id", first.json().getValue("call_id"))
                            .put("reason", "idempotent_conflict"));
        }
    }

    @Test
    void knowsAValidSignatureAtAnyAge() {
        Configuration configuration = Configuration.development();
        Configuration.Site site = configuration.signingSite();
        long old = Calls.now() - 3_600;
        Ask known = Calls.signed(site, old, Calls.body(site.id()));
        Ask unknown = Calls.signed(site, old, Calls.body(site.id()));
        Launch launch = Environment.launch(configuration, null, null);
        Answer first;
        // A signature that is old and known, without waiting: the site's signing was off when it arrived.
        try (SemelProcess lenient = SemelProcess.start(Launch.in(launch.data())
                .withVariable("IDEMPOTENCY_SECRET", launch.environment().get("IDEMPOTENCY_SECRET")))) {
            first = new Client(lenient, OpenApiSource.read(lenient)).send(known);
            assertThat(first.status()).as("%s", first).isEqualTo(201);
            assertThat(lenient.terminate()).isZero();
        }
        try (RunningServer strict = RunningServer.start(launch, configuration, null)) {
            CallEventsTest.isNoop(strict.nobody().send(known), first);
            Problem.isProblem(strict.nobody().send(unknown), 401);
            assertThat(strict.database().count("SELECT count(*) FROM calls")).isEqualTo(1);
        }
    }

    @Test
    void warnsOnceOfASiteWithoutASecret() {
        try (RunningServer server = Environment.SQLITE.fresh(Configuration.development())) {
            String site = Marks.name("unknown");
            for (int i = 0; i < 3; i++) {
                assertThat(server.nobody()
                                .send(Calls.unsigned(Calls.body(site)))
                                .status())
                        .isEqualTo(201);
            }
            assertThat(server.process().output().lines().filter(line -> line.contains("WARN") && line.contains(site)))
                    .hasSize(1);
        }
    }

    @Test
    void stopsWritingTheDigestIfConfigured() {
        try (RunningServer server =
                Environment.SQLITE.fresh(Configuration.withCalls("  write_signature_hash: false\n"))) {
            Configuration.Site site = server.configuration().signingSite();
            Answer first = server.nobody().send(Calls.signed(site, Calls.body(site.id())));
            assertThat(first.status()).isEqualTo(201);
            assertThat(server.database().count("SELECT count(*) FROM calls WHERE signature_hash IS NULL"))
                    .isEqualTo(1);
        }
    }
}

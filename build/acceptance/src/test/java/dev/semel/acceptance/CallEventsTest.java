// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Call events: the documented behaviour, case by case, on servers with a replay cache. */
@BlackBox
@ParameterizedClass
@EnumSource(value = Environment.class, mode = EnumSource.Mode.EXCLUDE, names = "DYNAMODB")
class CallEventsTest {
    @Parameter
    Environment environment;

    private RunningServer server;
    private Caller sender;
    private Configuration.Site site;
    private Configuration.Site open;

    @BeforeEach
    void someSites() {
        server = environment.shared();
        // Without a token: the signature authenticates, in production too.
        sender = server.nobody();
        site = server.configuration().signingSite();
        open = server.configuration().openSite();
    }

    @Test
    void insertsFirstAndIsANoopAfterwards() {
        Ask ask = Calls.signed(site, Calls.body(site.id()));

        Answer first = sender.send(ask);
        Answer second = sender.send(ask);
        Answer third = sender.send(ask);

        assertThat(first.status()).as("%s", first).isEqualTo(201);
        assertThat(first.get("status")).isEqualTo("inserted");
        assertThat(first.get("call_id")).isNotEmpty();
        isNoop(second, first);
        isNoop(third, first);
        assertThat(stored(site)).isEqualTo(1);
    }

    @Test
    void storesTheDigestOfTheSignature() {
        Ask ask = Calls.signed(site, Calls.body(site.id()));
        sender.send(ask);
        assertThat(server.database().column("SELECT signature_hash FROM calls WHERE site_id = ?", site.id()))
                .containsExactly(Configuration.sha256(ask.header("x-ops-signature")));
    }

    @Test
    void insertsEveryTimeWithoutASignature() {
        Ask ask = Calls.unsigned(Calls.body(open.id()));

        Answer first = sender.send(ask);
        Answer second = sender.send(ask);

        assertThat(List.of(first.status(), second.status())).containsExactly(201, 201);
        assertThat(second.get("call_id")).isNotEqualTo(first.get("call_id"));
        assertThat(server.database()
                        .count("SELECT count(*) FROM calls WHERE site_id = ? AND signature_hash IS NULL", open.id()))
                .isEqualTo(2);
    }

    @Test
    void deduplicatesByAnUnverifiedSignature() {
        Ask ask = Calls.unsigned(Calls.body(open.id()))
                .header("x-ops-signature", "a".repeat(32) + Marks.unique().repeat(2));
        Answer first = sender.send(ask);
        assertThat(first.status()).isEqualTo(201);
        isNoop(sender.send(ask), first);
        assertThat(stored(open)).isEqualTo(1);
    }

    @Test
    void takesTheSignatureInAnyCase() {
        Ask ask = Calls.signed(site, Calls.body(site.id()));
        Answer first = sender.send(
                ask.header("x-ops-signature", ask.header("x-ops-signature").toUpperCase(Locale.ROOT)));
        assertThat(first.status()).as("%s", first).isEqualTo(201);
        isNoop(sender.send(ask), first);
    }

    @Test
    void keepsSitesApart() {
        Configuration.Site other = server.configuration().openSite();
        String signature = Marks.unique().repeat(4);
        Answer here = sender.send(Calls.unsigned(Calls.body(open.id())).header("x-ops-signature", signature));
        Answer there = sender.send(Calls.unsigned(Calls.body(other.id())).header("x-ops-signature", signature));
        assertThat(there.status()).isEqualTo(201);
        assertThat(there.get("call_id")).isNotEqualTo(here.get("call_id"));
    }

    @Test
    void refusesInvalidSignatures() {
        String body = Calls.body(site.id());
        long now = Calls.now();
        Ask good = Calls.signed(site, now, body);
        String signature = good.header("x-ops-signature");
        List<Ask> bad = List.of(
                Calls.unsigned(body),
                Calls.unsigned(body).header("x-ops-timestamp", "" + now),
                Calls.unsigned(body).header("x-ops-signature", signature),
                good.header("x-ops-signature", signature.substring(1)),
                good.header("x-ops-signature", signature + "0"),
                good.header("x-ops-signature", "z" + signature.substring(1)),
                good.header("x-ops-signature", Calls.sign("another secret", now, body)),
                good.header("x-ops-timestamp", "" + (now - 1)),
                good.header("x-ops-timestamp", "yesterday"),
                good.json(body.replace(":42", ":43")),
                Calls.signed(site, now - 400, body),
                Calls.signed(site, now + 400, body),
                Calls.signed(site, 0, body),
                Calls.signed(site, Long.MAX_VALUE, body));
        for (Ask ask : bad) {
            Problem.isProblem(sender.send(ask), 401);
        }
        assertThat(stored(site)).isZero();
        assertThat(sender.send(good).status()).isEqualTo(201);
    }

    @Test
    void refusesAKnownSignatureOnAnotherBody() {
        String body = Calls.body(site.id());
        Ask good = Calls.signed(site, body);
        assertThat(sender.send(good).status()).isEqualTo(201);
        Problem.isProblem(sender.send(good.json(body.replace(":42", ":43"))), 401);
        assertThat(stored(site)).isEqualTo(1);
    }

    @Test
    void insertsOnceForACrowd() {
        Ask ask = Calls.signed(site, Calls.body(site.id()));
        List<Answer> answers = Crowd.of(16, i -> sender.send(ask));
        assertThat(answers).filteredOn(answer -> answer.status() == 201).hasSize(1);
        assertThat(answers).filteredOn(answer -> answer.status() == 200).hasSize(15);
        assertThat(answers)
                .extracting(answer -> answer.get("call_id"))
                .containsOnly(answers.get(0).get("call_id"));
        assertThat(stored(site)).isEqualTo(1);
    }

    @Test
    void asksForTheSite() {
        for (String body : List.of("{}", "{\"site_id\":\"\"}", "{\"site_id\":7}", "{\"site_id\":null}")) {
            Problem.isProblem(sender.send(Calls.unsigned(body)), 400, "site_id");
        }
        Problem.isProblem(sender.send(Calls.unsigned("{")), 400);
        Problem.isProblem(sender.send(Calls.unsigned("[]")), 400);
    }

    @Test
    void treatsAnUnconfiguredSiteByTheMode() {
        String unknown = Marks.name("unknown");
        Answer answer = sender.send(Calls.unsigned(Calls.body(unknown)));
        if (environment.production) {
            assertThat(answer.status()).as("%s", answer).isIn(401, 403, 404);
            assertThat(server.database().count("SELECT count(*) FROM calls WHERE site_id = ?", unknown))
                    .isZero();
        } else {
            assertThat(answer.status()).as("%s", answer).isEqualTo(201);
            assertThat(sender.get(Calls.CALLS + "/" + answer.get("call_id")).text())
                    .contains("unverified");
        }
    }

    @Test
    void showsCalls() {
        Caller reader =
                environment.production ? server.operator(server.configuration().tenant()) : sender;
        if (!environment.production) {
            Answer written = sender.send(Calls.signed(site, Calls.body(site.id())));
            Answer found = reader.get(Calls.CALLS + "/" + written.get("call_id"));
            assertThat(found.status()).isEqualTo(200);
            assertThat(found.text()).contains(site.id());
            // Not at once on PostgreSQL, where open transactions of other callers delay pages.
            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(Calls.of(reader, site.id())).hasSize(1));
        }
        Problem.isProblem(reader.get(Calls.CALLS + "/" + java.util.UUID.randomUUID()), 404);
        Problem.isProblem(reader.get(Calls.CALLS), 400, "site_id");
    }

    @Test
    void hasTheIndexOfTheSeed() {
        String name = "calls_site_signature_hash_uq";
        String url = server.database().url();
        String sql = url.contains("sqlite")
                ? "SELECT count(*) FROM sqlite_master WHERE name = ?"
                : url.contains("postgresql")
                        ? "SELECT count(*) FROM pg_indexes WHERE indexname = ? AND indexdef LIKE '%UNIQUE%'"
                        : "SELECT count(DISTINCT index_name) FROM information_schema.statistics"
                                + " WHERE index_name = ? AND non_unique = 0 AND table_schema = database()";
        assertThat(server.database().count(sql, name)).isEqualTo(1);
    }

    private long stored(Configuration.Site of) {
        return server.database().count("SELECT count(*) FROM calls WHERE site_id = ?", of.id());
    }

    static void isNoop(Answer answer, Answer first) {
        assertThat(answer.status()).as("%s", answer).isEqualTo(200);
        JsonObject json = answer.json();
        assertThat(json.getString("status")).isEqualTo("noop");
        assertThat(json.getString("call_id")).isEqualTo(first.get("call_id"));
        assertThat(json.getString("reason")).isIn("replay_cache", "idempotent_conflict");
    }
}

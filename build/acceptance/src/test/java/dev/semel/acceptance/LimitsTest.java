// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Limits of a tenant. */
@BlackBox
class LimitsTest {
    private static final int AT_ONCE = 5;

    /** So many that a bucket with one per second does not fill up again during a pause of the machine. */
    private static final int MANY = 120;

    @Test
    void limitsTheRateOfNewKeysOfATenant() {
        Configuration strict =
                Configuration.with("limits: {new_keys_per_second: 1, new_keys_at_once: %d}\n".formatted(AT_ONCE));
        try (RunningServer server = Environment.SQLITE.fresh(strict)) {
            Caller caller = server.caller();
            JsonObject known = Claims.fresh();
            Claims.succeed(caller, Claims.granted(caller, known), "done");

            List<Answer> flood = IntStream.range(0, 12 * AT_ONCE)
                    .mapToObj(i -> Claims.claim(caller, Claims.fresh()))
                    .toList();

            assertThat(flood).extracting(Answer::status).containsOnly(201, 429);
            List<Answer> refused =
                    flood.stream().filter(answer -> answer.status() == 429).toList();
            assertThat(refused).hasSizeGreaterThan(AT_ONCE).allSatisfy(answer -> {
                Problem.isProblem(answer, 429);
                assertThat(answer.header("Retry-After")).matches("[1-9][0-9]*");
            });
            assertThat(Claims.claim(caller, known).get("result"))
                    .as("a known key is not a new one")
                    .isEqualTo("done");
            assertThat(Claims.claim(server.caller(), Claims.fresh()).status())
                    .as("another tenant")
                    .isEqualTo(201);
        }
    }

    /** Each environment has its own statement for known keys. */
    @ParameterizedTest
    @EnumSource(
            value = Environment.class,
            names = {"SQLITE", "POSTGRES", "MARIADB"})
    void answersKnownEventsWhenTheLimitIsReached(Environment environment) {
        try (RunningServer server = environment.fresh(
                Configuration.with("limits: {new_keys_per_second: 1, new_keys_at_once: %d}\n".formatted(MANY)))) {
            Caller caller = server.caller();
            String known = Ledger.entry(Marks.text("key"), Ledger.event(caller.tenant()))
                    .encode();
            String id = caller.postText(Ledger.INGEST, known).get("id");
            Ledger.batch(caller, Ledger.lines(caller.tenant(), MANY - 1));

            Answer repeat = caller.postText(Ledger.INGEST, known);
            Answer repeats = Ledger.batch(caller, known + "\n" + known);
            Answer mixed = Ledger.batch(caller, known + "\n" + Ledger.lines(caller.tenant(), MANY) + known);

            assertThat(repeat.status()).isEqualTo(200);
            assertThat(repeat.get("id")).isEqualTo(id);
            assertThat(repeats.lines())
                    .extracting(line -> line.getInteger("status"))
                    .containsExactly(200, 200);
            List<JsonObject> lines = mixed.lines();
            assertThat(lines).hasSize(MANY + 2);
            for (JsonObject line : List.of(lines.get(0), lines.get(MANY + 1))) {
                assertThat(line.getInteger("status")).as("%s", line).isEqualTo(200);
                assertThat(line.getString("id")).isEqualTo(id);
            }
            assertThat(lines.subList(1, MANY + 1)).allSatisfy(line -> {
                assertThat(line.getInteger("status")).isEqualTo(429);
                assertThat(line.getJsonObject("problem").getString("type")).endsWith("/too-many-new-keys");
            });
            assertThat(Ledger.all(caller, 1_000, MANY)).hasSizeBetween(MANY, MANY + 1);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Environment.class,
            names = {"SQLITE", "POSTGRES", "MARIADB"})
    void answersKnownClaimsWhenTheLimitIsReached(Environment environment) {
        try (RunningServer server = environment.fresh(
                Configuration.with("limits: {new_keys_per_second: 1, new_keys_at_once: %d}\n".formatted(MANY)))) {
            Caller caller = server.caller();
            JsonObject known = Claims.fresh();
            Claims.succeed(caller, Claims.granted(caller, known), "done");
            Claims.verdicts(Claims.batch(caller, many()));

            List<JsonObject> repeats = Claims.verdicts(Claims.batch(caller, List.of(known, known)));
            List<JsonObject> some = new ArrayList<>(many());
            some.add(0, known);
            some.add(known);
            List<JsonObject> mixed = Claims.verdicts(Claims.batch(caller, some));
            Answer allNew = Claims.batch(caller, many());

            assertThat(repeats)
                    .extracting(verdict -> verdict.getString("result"))
                    .containsExactly("done", "done");
            assertThat(mixed).hasSize(MANY + 1);
            assertThat(mixed.get(0).getString("result")).isEqualTo("done");
            assertThat(mixed.get(MANY).getString("result")).isEqualTo("done");
            assertThat(mixed.subList(1, MANY)).allSatisfy(verdict -> {
                assertThat(verdict.getString("status")).isEqualTo("refused");
                assertThat(verdict.getString("type")).endsWith("/too-many-new-keys");
            });
            Problem.isProblem(allNew, 429);
            assertThat(allNew.header("Retry-After")).matches("[1-9][0-9]*");
        }
    }

    /** As many new keys as the limit allows at once, besides the known one. */
    private static List<JsonObject> many() {
        return Stream.generate(Claims::fresh).limit(MANY - 1).toList();
    }

    @Test
    void limitsTheOrganizationOfAnEvent() {
        try (RunningServer server = Environment.SQLITE.fresh(
                Configuration.with("limits: {new_keys_per_second: 1, new_keys_at_once: %d}\n".formatted(MANY)))) {
            Caller caller = server.caller();
            String other = Marks.name("tenant");

            Answer theirs = Ledger.batch(caller, Ledger.lines(other, MANY));
            Answer theirsAgain = Ledger.batch(server.named(other), Ledger.lines(other, MANY));
            Answer own = Ledger.batch(caller, Ledger.lines(caller.tenant(), MANY));

            assertThat(theirs.lines())
                    .allSatisfy(line -> assertThat(line.getInteger("status")).isEqualTo(201));
            assertThat(theirsAgain.lines())
                    .allSatisfy(line -> assertThat(line.getInteger("status")).isEqualTo(429));
            assertThat(own.lines())
                    .allSatisfy(line -> assertThat(line.getInteger("status")).isEqualTo(201));
        }
    }

    @Test
    void limitsABodyWhileItIsRead() {
        try (RunningServer server = Environment.SQLITE.fresh(Configuration.with("limits: {body_bytes: 2048}\n"))) {
            Caller caller = server.caller();
            JsonObject claim = Claims.granted(caller, Claims.fresh());
            Problem.isProblem(Claims.succeed(caller, claim, "x".repeat(3_000)), 413);
            assertThat(Claims.succeed(caller, claim, "x".repeat(1_000)).status())
                    .isEqualTo(200);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.claims;

import static dev.semel.server.claims.ClaimClient.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.payload.json.JsonObject;
import dev.semel.server.InProcessServer;
import dev.semel.server.InProcessServer.Reply;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code also_known_as}: several keys for one claim. */
class ClaimAliasesTest {
    private static final String RESULT = "{'receipt':4711,'password':'geheim'}";

    @TempDir
    static Path folder;

    private static InProcessServer server;
    private static ClaimClient client;

    @BeforeAll
    static void start() {
        server = InProcessServer.in(folder);
        client = new ClaimClient(server);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /** An encrypted result is bound to its record, whose reference a caller by an alias does not know. */
    @ParameterizedTest
    @ValueSource(strings = {"sealed", "sanitised"})
    void allAliasesShareOneClaim(String store) {
        String key = "{'scope':'pay','key':'ev-%s','store':'%s'%s}";
        String alias = "{'scope':'pay','key':'tx-%s'}".formatted(store);
        String both = key.formatted(store, store, ",'also_known_as':['tx-%s','no-%s']".formatted(store, store));
        String alone = key.formatted(store, store, "");
        Reply claim = client.granted(both);
        for (String same : new String[] {both, alias, alone}) {
            assertThat(client.claim(same).status()).as(same).isEqualTo(202);
        }

        client.succeeded(claim, RESULT);

        Reply replay = client.claim(alone);
        assertThat(replay.status()).isEqualTo(200);
        assertThat(replay.text("result_form")).isEqualTo(store.equals("sealed") ? "exact" : "sanitised");
        assertThat(client.claim(both).body()).isEqualTo(replay.body());
        assertThat(client.claim(alias).body()).isEqualTo(replay.body());
        Reply batch = server.post(
                "/v1/claims/batch",
                json("{'claims':[%s,%s,{'scope':'pay','key':'fresh-%s'},%s]}".formatted(alias, alone, store, both)));
        assertThat(batch.body()).endsWith("],\"more\":false}");
        for (int at : new int[] {0, 1, 3}) {
            JsonObject verdict = ClaimClient.verdicts(batch).get(at);
            assertThat(new String(verdict.utf8(), StandardCharsets.UTF_8)).isEqualTo(replay.body());
        }
        assertThat(batch.body()).contains("\"claimed\"");
    }

    @Test
    void aKeyMayHaveEightAliasesOfTheFullLength() {
        String aliases = IntStream.range(0, 8)
                .mapToObj(i -> "'" + i + "x".repeat(1_023) + "'")
                .collect(Collectors.joining(","));
        Reply claim = client.granted("{'scope':'many','key':'k','also_known_as':[%s]}".formatted(aliases));
        client.succeeded(claim, RESULT);

        assertThat(client.claim("{'scope':'many','key':'7%s'}".formatted("x".repeat(1_023)))
                        .text("result_form"))
                .isEqualTo("exact");
        Reply longer =
                client.claim("{'scope':'many','key':'l','also_known_as':['a','b%s']}".formatted("x".repeat(1_024)));
        assertThat(longer.status()).isEqualTo(400);
        assertThat(longer.text("field")).isEqualTo("/also_known_as/1");
        assertThat(client.claim("{'scope':'many','key':'a'}").status())
                .as("nothing was claimed")
                .isEqualTo(201);
        assertThat(client.claim("{'scope':'many','key':'empty','also_known_as':[]}")
                        .status())
                .isEqualTo(201);
    }

    @Test
    void aBadAliasInABatchIsNamed() {
        Reply reply = server.post(
                "/v1/claims/batch",
                json("{'claims':[{'scope':'b','key':'never'},{'scope':'b','key':'k','also_known_as':['k']}]}"));

        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.text("field")).isEqualTo("/claims/1/also_known_as/0");
        assertThat(client.claim("{'scope':'b','key':'never'}").status()).isEqualTo(201);
    }

    @Test
    void everyAliasCountsAsANewKey(@TempDir Path other) {
        String limits = "limits: {new_keys_per_second: 1, new_keys_at_once: 12}";
        try (InProcessServer strict = InProcessServer.in(other, limits, Map.of())) {
            ClaimClient few = new ClaimClient(strict);
            String first = "{'scope':'s','key':'k','also_known_as':['1','2','3','4','5','6','7','8']}";
            assertThat(few.claim(first).status()).isEqualTo(201);

            Reply more = few.claim("{'scope':'s','key':'k','also_known_as':['a','b','c','d','e','f','g','h']}");
            assertThat(more.status()).as("new aliases of a known key").isEqualTo(429);
            assertThat(few.claim("{'scope':'s','key':'a'}").status())
                    .as("they are unknown")
                    .isEqualTo(201);
            assertThat(few.claim(first).status()).as("all keys are known").isEqualTo(202);
            assertThat(few.claim("{'scope':'s','key':'5'}").status()).isEqualTo(202);
            Reply batch = strict.post(
                    "/v1/claims/batch",
                    json("{'claims':[%s,{'scope':'s','key':'k','also_known_as':['x','y','z','v','w']}]}"
                            .formatted(first)));
            assertThat(batch.body()).contains("\"in_progress\"", "\"refused\"", "too-many-new-keys");
        }
    }

    /** An alias that is added to a known claim is a new row, whatever the response is. */
    @Test
    void aKnownKeyDoesNotGetAliasesWithoutABound(@TempDir Path other) {
        String limits = "limits: {new_keys_per_second: 1, new_keys_at_once: 100}";
        try (InProcessServer strict = InProcessServer.in(other, limits, Map.of())) {
            ClaimClient many = new ClaimClient(strict);
            assertThat(many.claim("{'scope':'s','key':'k'}").status()).isEqualTo(201);
            String known = "{'scope':'s','key':'k','also_known_as':[%s]}";

            int round = 0;
            while (round < 100 && many.claim(known.formatted(eight(round))).status() == 202) {
                round++;
            }

            assertThat(round)
                    .as("eight aliases each, and a hundred keys at once")
                    .isBetween(12, 40);
            assertThat(many.claim(known.formatted(eight(0))).status()).isEqualTo(202);
        }
    }

    private static String eight(int round) {
        return IntStream.range(0, 8)
                .mapToObj(i -> "'%d-%d'".formatted(round, i))
                .collect(Collectors.joining(","));
    }
}

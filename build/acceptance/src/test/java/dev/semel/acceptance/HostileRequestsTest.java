// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.acceptance.hostile.BrokenTokens;
import dev.semel.acceptance.hostile.Endpoint;
import dev.semel.acceptance.hostile.HostileCase;
import dev.semel.acceptance.hostile.HostileCorpus;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Invalid requests: each is clearly refused, nothing is stored, and the server still answers. */
@BlackBox
class HostileRequestsTest {
    @Test
    void areRefusedInDevelopment() {
        try (RunningServer server = Environment.SQLITE.fresh(Configuration.development())) {
            refuses(server, HostileCorpus.development());
            // The valid requests that the cases derive from are accepted, so each refusal is caused by the one invalid
            // part.
            for (Endpoint endpoint : Endpoint.all()) {
                Answer answer = server.named(Endpoint.TENANT)
                        .send(Ask.post(endpoint.path()).json(endpoint.valid()));
                assertThat(answer.status()).as("%s: %s", endpoint, answer).isIn(200, 201, 202);
            }
        }
    }

    @Test
    void areRefusedWithoutARightToken() {
        try (RunningServer server = Environment.SQLITE.fresh(Configuration.production())) {
            String token = server.configuration().tenant().client();
            refuses(server, BrokenTokens.cases(token, Configuration.sha256(token)));
        }
    }

    @Test
    void areCutOffWhenTheyDoNotEnd() {
        Configuration shortTimeouts =
                Configuration.with("limits: {headers_seconds: 1, body_seconds: 1, idle_seconds: 2}\n");
        try (RunningServer server = Environment.SQLITE.fresh(shortTimeouts)) {
            Map<String, Long> before = rows(server);
            List<HostileCase> cases = HostileCorpus.slow();
            List<String> wrong = new ArrayList<>();
            List<RawExchange> exchanges = Crowd.of(
                    cases.size(), i -> RawExchange.send(server.process().port(), cases.get(i)));
            for (int i = 0; i < cases.size(); i++) {
                wrong.addAll(violations(server, cases.get(i), exchanges.get(i)));
            }
            assertThat(wrong).isEmpty();
            assertThat(rows(server)).isEqualTo(before);
            assertThat(server.nobody().get("/health").status()).isEqualTo(200);
        }
    }

    private static void refuses(RunningServer server, List<HostileCase> cases) {
        Map<String, Long> before = rows(server);
        List<String> wrong = new ArrayList<>();
        for (HostileCase hostile : cases) {
            wrong.addAll(violations(
                    server, hostile, RawExchange.send(server.process().port(), hostile)));
        }
        assertThat(wrong).as("%d of %d cases", wrong.size(), cases.size()).isEmpty();
        assertThat(rows(server)).as("nothing was stored").isEqualTo(before);
        assertThat(server.nobody().get("/health").status()).isEqualTo(200);
    }

    private static List<String> violations(RunningServer server, HostileCase hostile, RawExchange exchange) {
        List<String> found = new ArrayList<>();
        if (!exchange.ended()) {
            found.add("the connection is left open");
        }
        if (exchange.answers() > 1) {
            found.add("%d answers to one request".formatted(exchange.answers()));
        }
        Answer answer = exchange.answer().orElse(null);
        if (answer == null) {
            if (hostile.kind() == HostileCase.Kind.CONTENT) {
                found.add("no answer");
            }
        } else {
            if (!hostile.statuses().contains(answer.status())) {
                found.add("answered " + answer);
            }
            if (hostile.kind() == HostileCase.Kind.CONTENT) {
                found.addAll(OpenApi.problemViolations(answer));
                found.addAll(described(server, hostile, answer));
            }
        }
        return found.stream().map(each -> hostile.name() + ": " + each).toList();
    }

    /** The document must describe a refusal too. */
    private static List<String> described(RunningServer server, HostileCase hostile, Answer answer) {
        String[] line = new String(hostile.bytes(), java.nio.charset.StandardCharsets.ISO_8859_1)
                .lines()
                .findFirst()
                .orElseThrow()
                .split(" ", -1);
        return server.openApi().violations(new Ask(line[0], line[1], Map.of(), new byte[0]), answer);
    }

    /** The number of rows of every table but that of jobs: the server's own cleanup may begin at any moment. */
    private static Map<String, Long> rows(RunningServer server) {
        Database database = server.database();
        Map<String, Long> rows = new LinkedHashMap<>();
        for (String table :
                database.column("SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'semel_jobs'")) {
            rows.put(table, database.count("SELECT count(*) FROM \"%s\"".formatted(table)));
        }
        assertThat(rows).containsKey("idempotency_keys");
        return rows;
    }
}

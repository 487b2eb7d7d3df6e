// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests the validator itself. */
class OpenApiTest {
    private static final OpenApi API = OpenApi.parse("""
            openapi: 3.1.0
            paths:
              /things:
                post:
                  parameters:
                    - {name: limit, in: query, schema: {type: integer, minimum: 1}}
                    - {$ref: '#/components/parameters/Who'}
                  requestBody:
                    required: true
                    content:
                      application/json: {schema: {$ref: '#/components/schemas/Thing'}}
                  responses:
                    200:
                      headers:
                        X-Idempotency-Status: {required: true, schema: {enum: [MISS, HIT]}}
                      content:
                        application/json: {schema: {$ref: '#/components/schemas/Thing'}}
                    '204': {description: nothing}
                    4XX: {$ref: '#/components/responses/Problem'}
              /things/{id}:
                get: {responses: {200: {content: {application/x-ndjson: {schema: {type: integer}}}}}}
              /claims:
                post:
                  responses:
                    200: {x-statuses: [done], content: {application/json: {schema: {$ref: '#/components/schemas/Flat'}}}}
                    201: {content: {application/json: {schema: {$ref: '#/components/schemas/Flats'}}}}
              /things/all:
                get: {responses: {204: {description: nothing}}}
            components:
              parameters:
                Who: {name: X-Who, in: header, required: true, schema: {type: string}}
              responses:
                Problem: {content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}}
              schemas:
                Problem: {type: object, required: [type, title]}
                Flat:
                  type: object
                  x-members-by-status: {done: [result, 'note?'], running: [wait]}
                Flats:
                  type: object
                  properties: {all: {type: array, items: {$ref: '#/components/schemas/Flat'}}}
                Thing:
                  type: object
                  required: [name]
                  additionalProperties: false
                  properties:
                    name: {type: string}
                    parent: {$ref: '#/components/schemas/Thing'}
            """);

    private static final Ask GOOD = Ask.post("/things").json("{\"name\":\"a\"}").header("X-Who", "me");
    private static final Map<String, String> MISS =
            Map.of("Content-Type", "application/json", "X-Idempotency-Status", "MISS");

    @Test
    void acceptsWhatIsDescribed() {
        assertThat(API.violations(GOOD, answer(200, MISS, "{\"name\":\"a\",\"parent\":{\"name\":\"b\"}}")))
                .isEmpty();
        assertThat(API.violations(GOOD, answer(204, Map.of(), ""))).isEmpty();
        assertThat(API.violations(GOOD, problem(404, 404))).isEmpty();
        assertThat(API.operations())
                .containsExactly("POST /things", "GET /things/{id}", "POST /claims", "GET /things/all");
    }

    @Test
    void refusesStatusMediaTypeBodyAndHeadersThatAreNotDescribed() {
        assertThat(API.violations(GOOD, answer(201, MISS, "{\"name\":\"a\"}"))).hasSize(1);
        assertThat(API.violations(GOOD, answer(200, with("Content-Type", "text/html"), "{}")))
                .hasSize(1);
        assertThat(API.violations(GOOD, answer(200, MISS, "{\"name\":1}"))).isNotEmpty();
        assertThat(API.violations(GOOD, answer(200, MISS, "{\"name\":\"a\",\"other\":1}")))
                .isNotEmpty();
        assertThat(API.violations(GOOD, answer(200, MISS, "{\"name\":\"a\",\"parent\":{}}")))
                .isNotEmpty();
        assertThat(API.violations(GOOD, answer(200, MISS, "{"))).hasSize(1);
        assertThat(API.violations(GOOD, answer(200, with("X-Idempotency-Status", "?"), "{\"name\":\"a\"}")))
                .hasSize(1);
        assertThat(API.violations(GOOD, answer(200, with("Retry-After", "1"), "{\"name\":\"a\"}")))
                .hasSize(1);
        assertThat(API.violations(GOOD, answer(204, Map.of(), "x"))).hasSize(1);
    }

    @Test
    void refusesAnAcceptedRequestThatIsNotDescribed() {
        Answer fine = answer(204, Map.of(), "");
        assertThat(API.violations(GOOD.json("{}"), fine)).isNotEmpty();
        assertThat(API.violations(GOOD.body("text/plain", "x"), fine)).hasSize(1);
        assertThat(API.violations(Ask.post("/things").json("{\"name\":\"a\"}"), fine))
                .hasSize(1);
        assertThat(API.violations(path(GOOD, "/things?limit=0"), fine)).hasSize(1);
        assertThat(API.violations(path(GOOD, "/things?limit=3"), fine)).isEmpty();
        assertThat(API.violations(path(GOOD, "/things?other=3"), fine)).hasSize(1);
        assertThat(API.violations(GOOD.json("{}"), problem(400, 400)))
                .as("a refused request may be invalid")
                .isEmpty();
    }

    @Test
    void refusesErrorsThatAreNoProblems() {
        assertThat(API.violations(GOOD, problem(404, 400))).hasSize(1);
        assertThat(API.violations(Ask.get("/nowhere"), problem(404, 404))).isEmpty();
        assertThat(API.violations(Ask.get("/nowhere"), answer(404, Map.of(), "no")))
                .hasSize(1);
        assertThat(API.violations(Ask.get("/nowhere"), answer(200, Map.of(), "")))
                .hasSize(2);
    }

    @Test
    void readsEveryLineAndPrefersPathsWithoutNames() {
        Map<String, String> lines = Map.of("Content-Type", "application/x-ndjson");
        assertThat(API.violations(Ask.get("/things/7"), answer(200, lines, "1\n2\n")))
                .isEmpty();
        assertThat(API.violations(Ask.get("/things/7"), answer(200, lines, "1\n\"2\"\n")))
                .isNotEmpty();
        assertThat(API.violations(Ask.get("/things/all"), answer(204, Map.of(), "")))
                .isEmpty();
    }

    @Test
    void refusesMembersThatAStatusDoesNotHave() {
        for (String fine :
                List.of("{\"status\":\"done\",\"result\":null}", "{\"status\":\"done\",\"result\":1,\"note\":\"\"}")) {
            assertThat(flat(200, fine)).isEmpty();
            assertThat(flat(201, "{\"all\":[%s]}".formatted(fine))).isEmpty();
        }
        for (String wrong : List.of(
                "{\"status\":\"done\"}",
                "{\"status\":\"done\",\"result\":1,\"wait\":1}",
                "{\"status\":\"done\",\"result\":1,\"other\":1}",
                "{\"status\":\"else\",\"result\":1}",
                "{\"result\":1}")) {
            assertThat(flat(200, wrong)).as(wrong).isNotEmpty();
            assertThat(flat(201, "{\"all\":[%s]}".formatted(wrong))).as(wrong).hasSize(1);
        }
        assertThat(flat(200, "{\"status\":\"running\",\"wait\":1}"))
                .containsExactly("status 'running' in an answer of 200");
    }

    private static List<String> flat(int status, String body) {
        return API.violations(Ask.post("/claims"), answer(status, Map.of("Content-Type", "application/json"), body));
    }

    private static Ask path(Ask ask, String path) {
        return new Ask(ask.method(), path, ask.headers(), ask.body());
    }

    private static Map<String, String> with(String name, String value) {
        Map<String, String> all = new HashMap<>(MISS);
        all.put(name, value);
        return all;
    }

    private static Answer problem(int status, int said) {
        return answer(
                status,
                Map.of("Content-Type", "application/problem+json"),
                "{\"type\":\"/docs/x\",\"title\":\"t\",\"detail\":\"d\",\"status\":%d}".formatted(said));
    }

    static Answer answer(int status, Map<String, String> headers, String body) {
        Map<String, List<String>> all = new HashMap<>();
        headers.forEach((name, value) -> all.put(name, List.of(value)));
        return new Answer(status, HttpHeaders.of(all, (name, value) -> true), body.getBytes(StandardCharsets.UTF_8));
    }
}

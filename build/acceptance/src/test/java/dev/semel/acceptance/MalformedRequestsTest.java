// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.acceptance.hostile.Endpoint;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every route with invalid queries, paths and bodies: a 400 that names the field, never a 500. */
@BlackBox
class MalformedRequestsTest {
    /** Invalid escapes, and bytes that are not UTF-8. */
    private static final List<String> BROKEN =
            List.of("%", "%f", "%zz", "a%2", "%ff", "%c0%af", "%ed%a0%80", "%e2%82", "%f8%88%80%80%80", "\u00ff");

    /** Valid escapes of characters that no name may contain, and values of other types. */
    private static final List<String> ODD = List.of(
            "%00",
            "%0a",
            "%7f",
            "%c2%85",
            "",
            "+",
            "%20",
            "null",
            "-1",
            "1e999999999",
            "99999999999999999999",
            "a".repeat(300),
            "%f0%9f%98%80",
            "a=b=c",
            "'%20OR%201=1",
            "..%2f..");

    private static final List<String> ODD_JSON = List.of(
            "null",
            "true",
            "0",
            "-1",
            "1.5",
            "1e400",
            "1e999999999",
            "-1e-999999999",
            "9".repeat(5_000),
            "\"\"",
            "\"\\ud800\"",
            "\"\\u0000\"",
            "\"x\"",
            "\"" + "k".repeat(5_000) + "\"",
            "[]",
            "[[]]",
            "{}",
            "{\"\":{\"\\ud800\":1}}",
            deep(100),
            deep(127),
            deep(2_000));

    /** The maximum number of failures in a message. */
    private static final int SHOWN = 20;

    private static String deep(int depth) {
        return "[".repeat(depth) + "]".repeat(depth);
    }

    private record Outcome(String what, Answer answer) {
        boolean names(String field) {
            return answer.status() == 400 && field.equals(answer.get("field"));
        }
    }

    @Test
    void aBrokenEscapeIsNamed() {
        RunningServer server = Environment.SQLITE.shared();
        List<String> wrong = new ArrayList<>();
        for (Operation operation : server.openApi().described()) {
            for (String broken : BROKEN) {
                for (String name : operation.names("path")) {
                    String path = operation.filled(each -> each.equals(name) ? broken : usual(each));
                    check(wrong, send(server, operation, path, ""), name);
                }
                if (operation.method().equals("GET")) {
                    String path = operation.filled(MalformedRequestsTest::usual);
                    for (String name : operation.names("query")) {
                        check(wrong, send(server, operation, query(operation, path, name, broken), ""), name);
                    }
                    check(wrong, send(server, operation, query(operation, path, "unknown", broken), ""), "unknown");
                    check(wrong, send(server, operation, query(operation, path, broken, "x"), ""), "query");
                }
            }
        }
        assertThat(wrong.stream().limit(SHOWN)).as("%d are wrong", wrong.size()).isEmpty();
    }

    private static void check(List<String> wrong, Outcome outcome, String field) {
        if (!outcome.names(field)) {
            wrong.add("%s must be a 400 that names %s: %s".formatted(outcome.what(), field, outcome.answer()));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SQLITE", "POSTGRES", "MARIADB"})
    void noValueIsAServersFault(Environment environment) {
        RunningServer server = environment.shared();
        List<Outcome> all = new ArrayList<>();
        for (Operation operation : server.openApi().described()) {
            String path = operation.filled(MalformedRequestsTest::usual);
            for (String odd : ODD) {
                for (String name : operation.names("path")) {
                    all.add(send(
                            server,
                            operation,
                            operation.filled(each -> each.equals(name) ? odd : usual(each)),
                            body(operation)));
                }
                for (String name : operation.names("query")) {
                    all.add(send(server, operation, query(operation, path, name, odd), ""));
                }
            }
            if (operation.method().equals("POST")) {
                bodies(operation).forEach(body -> all.add(send(server, operation, path, body)));
            }
        }
        assertThat(all).hasSizeGreaterThan(500);
        assertThat(all).filteredOn(one -> one.answer().status() >= 500).isEmpty();
    }

    @Test
    void userTextBesideItsHashIsNamed() {
        RunningServer server = Environment.SQLITE.shared();
        for (String body : List.of(
                "{\"scope\":\"s\",\"inputs\":{\"userTextHash\":\"x\"},\"user_text\":\"hello\"}",
                "{\"scope\":\"s\",\"inputs\":{\"userTextHash\":\"x\",\"user_text\":\"hello\"}}")) {
            Answer answer = server.nobody().postText(Claims.CLAIMS, body);
            Problem.isProblem(answer, 400);
            assertThat(answer.get("field")).isEqualTo("/inputs/userTextHash");
        }
    }

    /** The problem names the invalid query parameter and not the cursor. */
    @ParameterizedTest
    @EnumSource(names = {"SQLITE", "POSTGRES", "MARIADB"})
    void namesInQueriesAreChecked(Environment environment) {
        RunningServer server = environment.shared();
        List<String> wrong = new ArrayList<>();
        for (Operation operation : server.openApi().described()) {
            for (String name : operation.names("query")) {
                if (List.of("org_id", "site_id", "provider").contains(name)) {
                    String path = operation.filled(MalformedRequestsTest::usual);
                    for (String odd : List.of("%00", "%7f", "a".repeat(300))) {
                        check(wrong, send(server, operation, query(operation, path, name, odd), ""), name);
                    }
                }
            }
        }
        assertThat(wrong.stream().limit(SHOWN)).as("%d are wrong", wrong.size()).isEmpty();
    }

    private static String usual(String name) {
        return switch (name) {
            case "claim_id" -> "ab".repeat(32);
            case "id" -> UUID.randomUUID().toString();
            case "provider" -> "stripe";
            default -> "some";
        };
    }

    /** The path with the required query parameters and this one. */
    private static String query(Operation operation, String path, String name, String value) {
        StringBuilder query =
                new StringBuilder(path).append('?').append(name).append('=').append(value);
        for (JsonObject parameter : operation.parameters()) {
            if (parameter.getString("in").equals("query")
                    && parameter.getBoolean("required", false)
                    && !parameter.getString("name").equals(name)) {
                query.append('&').append(parameter.getString("name")).append("=x");
            }
        }
        return query.toString();
    }

    private static String body(Operation operation) {
        return operation.method().equals("POST") ? "{}" : "";
    }

    /** Unusual documents, and the valid request with an unusual value for each member of the schema. */
    private static List<String> bodies(Operation operation) {
        List<String> all = new ArrayList<>(ODD_JSON);
        String valid = valid(operation);
        for (String member :
                operation.body().getJsonObject("properties", new JsonObject()).fieldNames()) {
            for (String odd : ODD_JSON) {
                all.add(with(valid, member, odd));
            }
        }
        if (operation.path().equals("/v1/claims")) {
            all.add("{\"scope\":\"s\",\"inputs\":{\"userTextHash\":\"x\"},\"user_text\":\"hello\"}");
            all.add("{\"scope\":\"s\",\"inputs\":{\"userTextHash\":\"x\",\"user_text\":\"hello\"}}");
            for (String odd : ODD_JSON) {
                all.add("{\"scope\":\"s\",\"inputs\":%s}".formatted(odd));
                all.add("{\"scope\":\"s\",\"inputs\":{\"a\":%s,\"user_text\":%s}}".formatted(odd, odd));
            }
        }
        if (operation.path().startsWith("/api/ledger/ingest")) {
            for (String member :
                    List.of("org_id", "actor_id", "event_type", "entity_type", "entity_id", "payload", "x")) {
                for (String odd : ODD_JSON) {
                    all.add("{\"idempotency_key\":\"k\",\"event\":%s}"
                            .formatted(with("{\"org_id\":\"o\",\"event_type\":\"t\"}", member, odd)));
                }
            }
        }
        return all;
    }

    private static String valid(Operation operation) {
        return Endpoint.all().stream()
                .filter(endpoint -> endpoint.path().equals(operation.path()))
                .map(Endpoint::valid)
                .findFirst()
                .orElse(
                        operation.path().startsWith("/v1/claims/")
                                ? "{\"token\":\"k_%s_%s\"}".formatted("0".repeat(16), "0".repeat(32))
                                : "{}");
    }

    /** Written without a library, because no library writes some of these values. */
    private static String with(String valid, String member, String value) {
        JsonObject others = new JsonObject(valid);
        others.remove(member);
        String rest = others.encode().replaceFirst("^\\{", "");
        return "{\"%s\":%s%s%s".formatted(member, value, rest.equals("}") ? "" : ",", rest);
    }

    private static Outcome send(RunningServer server, Operation operation, String target, String body) {
        StringBuilder request = new StringBuilder(
                "%s %s HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n".formatted(operation.method(), target));
        request.append("X-Organization-Id: malformed\r\n");
        if (!body.isEmpty()) {
            String type = operation.path().endsWith("/ingest/batch") ? "application/x-ndjson" : "application/json";
            request.append("Content-Type: %s\r\nContent-Length: %d\r\n".formatted(type, body.length()));
        }
        request.append("\r\n").append(body);
        String what = "%s %s %s".formatted(operation.method(), cut(target), cut(body));
        RawExchange exchange = RawExchange.send(server.process().port(), request.toString());
        return new Outcome(what, exchange.answer().orElseThrow(() -> new AssertionError("No answer to " + what)));
    }

    private static String cut(String text) {
        return text.length() > 200 ? text.substring(0, 200) + "..." : text;
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Every operation of openapi.yaml, used by each role of two tenants and by unauthenticated callers. The document itself
 * declares who may use it ({@code x-access}). An operation without a declaration fails the test.
 */
@BlackBox
class AccessTest {
    private static final List<String> METHODS = List.of("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");

    private final RunningServer server = Environment.SQLITE_PRODUCTION.shared();
    private final Configuration.Tenant acme = server.configuration().tenant();
    private final Configuration.Tenant globex = server.configuration().tenant();

    /**
     * A caller.
     *
     * @param tenant the tenant of the token and of the requested things
     * @param role empty if the server must not authenticate the caller
     * @param headers header lines of the request
     */
    private record Asker(String name, String tenant, String role, List<String> headers) {}

    @Test
    void everyOperationIsDeclared() {
        assertThat(server.openApi().described()).hasSizeGreaterThan(30).allSatisfy(operation -> {
            assertThat(operation.access()).isNotNull();
            assertThat(operation.kind())
                    .as("x-belongs of %s", operation)
                    .isIn(TenantsTest.KINDS)
                    .isNotNull();
            if (!operation.kind().equals("none")) {
                assertThat(operation.by()).as("x-belongs of %s", operation).isIn(TenantsTest.WAYS);
            }
        });
    }

    @Test
    void eachRoleGetsWhatIsDeclared() {
        List<String> wrong = new ArrayList<>();
        int asked = 0;
        for (Operation operation : server.openApi().described()) {
            for (Asker asker : askers()) {
                wrong.addAll(violations(operation, operation.method(), asker));
                asked++;
                if (operation.method().equals("GET")) {
                    wrong.addAll(violations(operation, "HEAD", asker));
                    asked++;
                }
            }
        }
        assertThat(asked).isGreaterThan(500);
        assertThat(wrong.stream().limit(20)).as("%d of %d", wrong.size(), asked).isEmpty();
    }

    /** A method that is served but not described would have no declaration. */
    @Test
    void nothingIsServedThatIsNotDescribed() {
        Map<String, Set<String>> methods = server.openApi().described().stream()
                .collect(Collectors.groupingBy(
                        Operation::path, Collectors.mapping(Operation::method, Collectors.toSet())));
        for (Operation operation : server.openApi().described()) {
            for (String method : METHODS) {
                if (!methods.get(operation.path()).contains(method)) {
                    Answer answer = send(operation, method, asker(acme, "operator"));
                    assertThat(answer.status())
                            .as("%s %s: %s", method, operation.path(), answer)
                            .isEqualTo(405);
                }
            }
        }
    }

    private List<Asker> askers() {
        List<Asker> all = new ArrayList<>();
        for (Configuration.Tenant tenant : List.of(acme, globex)) {
            for (String role : List.of("client", "viewer", "operator")) {
                all.add(asker(tenant, role));
                all.add(new Asker(
                        "%s of %s, as another".formatted(role, tenant.name()),
                        tenant.name(),
                        role,
                        List.of(
                                authorization(tenant, role),
                                "X-Organization-Id: " + (tenant.equals(acme) ? globex : acme).name(),
                                "X-Actor-Id: root",
                                "X-Role: operator")));
            }
        }
        String token = acme.operator();
        all.add(nobody("no token"));
        all.add(nobody("an unknown token", "Authorization: Bearer " + Marks.text("unknown")));
        all.add(nobody("the digest of a token", "Authorization: Bearer " + Configuration.sha256(token)));
        all.add(nobody("no value", "Authorization:"));
        all.add(nobody("the scheme alone", "Authorization: Bearer"));
        all.add(nobody("another scheme", "Authorization: Basic " + token));
        all.add(nobody("no scheme", "Authorization: " + token));
        all.add(nobody("a list", "Authorization: Bearer %s, Bearer %s".formatted(token, token)));
        all.add(nobody("the header twice", "Authorization: Bearer " + token, "Authorization: Bearer " + token));
        all.add(nobody("two identities", authorization(acme, "operator"), authorization(globex, "operator")));
        all.add(nobody(
                "the headers of development",
                "X-Organization-Id: " + acme.name(),
                "X-Actor-Id: root",
                "X-Role: operator"));
        all.add(nobody("a cookie", "Cookie: token=" + token));
        return all;
    }

    private static Asker asker(Configuration.Tenant tenant, String role) {
        return new Asker(
                "%s of %s".formatted(role, tenant.name()), tenant.name(), role, List.of(authorization(tenant, role)));
    }

    private Asker nobody(String name, String... headers) {
        return new Asker(name, acme.name(), "", List.of(headers));
    }

    private static String authorization(Configuration.Tenant tenant, String role) {
        String token = switch (role) {
            case "client" -> tenant.client();
            case "viewer" -> tenant.viewer();
            default -> tenant.operator();
        };
        return "Authorization: Bearer " + token;
    }

    private List<String> violations(Operation operation, String method, Asker asker) {
        Answer answer = send(operation, method, asker);
        boolean known = !asker.role().isEmpty();
        String expected = operation.access() == Access.OPEN
                ? "let in"
                : !known ? "unauthenticated" : operation.access().allows(asker.role()) ? "let in" : "forbidden";
        String got = got(method, answer);
        List<String> found = new ArrayList<>();
        if (!got.equals(expected)) {
            found.add("%s %s by %s must be %s: %s".formatted(method, operation.path(), asker.name(), expected, answer));
        }
        if (expected.equals("unauthenticated")
                && !answer.header("WWW-Authenticate").startsWith("Bearer")) {
            found.add("%s %s by %s: no WWW-Authenticate".formatted(method, operation.path(), asker.name()));
        }
        if (answer.status() >= 500 || (method.equals("HEAD") && answer.body().length > 0)) {
            found.add("%s %s by %s: %s".formatted(method, operation.path(), asker.name(), answer));
        }
        return found;
    }

    /** A wrong signature is also a 401, and only the problem's type differs. HEAD has no body with a type. */
    private static String got(String method, Answer answer) {
        if (method.equals("HEAD")) {
            return answer.status() == 401 ? "unauthenticated" : answer.status() == 403 ? "forbidden" : "let in";
        }
        if (!answer.mediaType().equals("application/problem+json")) {
            return "let in";
        }
        return switch (answer.get("type")) {
            case "/docs/problems/unauthenticated" -> answer.status() == 401 ? "unauthenticated" : "?";
            case "/docs/problems/forbidden" -> answer.status() == 403 ? "forbidden" : "?";
            default -> "let in";
        };
    }

    /** Requests things that do not exist, because access is checked first. */
    private Answer send(Operation operation, String method, Asker asker) {
        String path = operation.filled(name -> switch (name) {
            case "claim_id" -> Configuration.sha256(Marks.unique());
            case "id" -> UUID.randomUUID().toString();
            default -> Marks.name("nothing");
        });
        String tenant = operation.belongs().getString("parameter");
        StringBuilder request = new StringBuilder("%s %s%s HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
                .formatted(method, path, tenant == null ? "" : "?%s=%s".formatted(tenant, asker.tenant())));
        asker.headers().forEach(line -> request.append(line).append("\r\n"));
        if (method.startsWith("P")) {
            String body = new JsonObject().encode();
            request.append(
                    "Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s".formatted(body.length(), body));
        } else {
            request.append("\r\n");
        }
        return RawExchange.send(server.process().port(), request.toString())
                .answer()
                .orElseThrow(
                        () -> new AssertionError("No answer to %s %s by %s".formatted(method, path, asker.name())));
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance.hostile;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Well-formed headers and sizes that are not allowed. */
final class BrokenHeaders {
    private static final int TOO_LARGE = 17 << 20;

    private BrokenHeaders() {}

    static List<HostileCase> cases() {
        List<HostileCase> cases = new ArrayList<>();
        for (Endpoint endpoint : Endpoint.all()) {
            byte[] valid = endpoint.valid().getBytes(StandardCharsets.UTF_8);
            for (String type : List.of(
                    "text/plain",
                    "text/html",
                    "application/xml",
                    "application/x-www-form-urlencoded",
                    "multipart/form-data; boundary=x",
                    "application/json; charset=utf-16",
                    "application/json; charset=iso-8859-1",
                    "application/octet-stream")) {
                cases.add(HostileCase.content(
                        "%s as %s".formatted(endpoint, type), endpoint.post().body(type, valid), 400, 415));
            }
            for (String coding : List.of("gzip", "br", "deflate", "x-unknown")) {
                cases.add(HostileCase.content(
                        "%s in %s".formatted(endpoint, coding),
                        endpoint.post().header("Content-Encoding", coding).json(valid),
                        400,
                        415));
            }
            cases.add(HostileCase.content(
                    "%s from a foreign page".formatted(endpoint),
                    endpoint.post().header("Origin", "http://example.com").json(valid),
                    403));
            cases.add(HostileCase.content(
                    "%s from a page without an origin".formatted(endpoint),
                    endpoint.post().header("Origin", "null").json(valid),
                    403));
            cases.add(HostileCase.content(
                    "%s under a foreign name".formatted(endpoint),
                    endpoint.post()
                            .without("Host")
                            .header("Host", "example.com")
                            .json(valid),
                    400,
                    403));
            cases.add(HostileCase.content(
                    "%s with an expectation".formatted(endpoint),
                    endpoint.post().header("Expect", "the-unexpected").json(valid),
                    400,
                    417));
            cases.add(HostileCase.content(
                    "%s of 17 MiB".formatted(endpoint),
                    endpoint.post()
                            .json(("{\"x\":\"" + "x".repeat(TOO_LARGE) + "\","
                                    + endpoint.valid().substring(1))),
                    413));
        }
        Endpoint claims = Endpoint.all().get(2);
        cases.add(HostileCase.content(
                "a body announced as 8 EiB",
                claims.post()
                        .header("Content-Type", "application/json")
                        .header("Content-Length", "" + Long.MAX_VALUE)
                        .empty(),
                400,
                413));
        for (String tenant : List.of("", "a".repeat(5_000), "a\u0001b", "a\tb", "\u00ff\u00fe", "a\u007fb")) {
            cases.add(new HostileCase(
                    "a tenant of %d strange characters, %d".formatted(tenant.length(), tenant.hashCode()),
                    Raw.request("POST", claims.path())
                            .header("X-Organization-Id", tenant)
                            .json(claims.valid()),
                    HostileCase.Kind.FRAMING,
                    java.util.Set.of(400, 431)));
        }
        cases.add(HostileCase.content(
                "two tenants",
                claims.post().header("X-Organization-Id", "another").json(claims.valid()),
                400));
        cases.add(HostileCase.content(
                "two actors",
                claims.post()
                        .header("X-Actor-Id", "a")
                        .header("X-Actor-Id", "b")
                        .json(claims.valid()),
                400));
        cases.add(new HostileCase(
                "a header of 100,000 characters",
                claims.post().header("X-Large", "x".repeat(100_000)).json(claims.valid()),
                HostileCase.Kind.FRAMING,
                java.util.Set.of(400, 431)));
        Raw many = claims.post();
        for (int i = 0; i < 3_000; i++) {
            many.header("X-Header-" + i, "some value");
        }
        cases.add(new HostileCase(
                "3,000 headers", many.json(claims.valid()), HostileCase.Kind.FRAMING, java.util.Set.of(400, 431)));
        for (int length : new int[] {20_000, 200_000}) {
            cases.add(new HostileCase(
                    "an address of %d characters".formatted(length),
                    Raw.request("GET", "/" + "a".repeat(length)).empty(),
                    HostileCase.Kind.FRAMING,
                    java.util.Set.of(400, 404, 414, 431)));
        }
        return cases;
    }
}

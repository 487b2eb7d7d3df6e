// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance.hostile;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Paths, methods and queries that do not exist. */
final class BrokenAddresses {
    private BrokenAddresses() {}

    static List<HostileCase> cases() {
        List<HostileCase> cases = new ArrayList<>();
        Map<String, String> paths = new LinkedHashMap<>();
        paths.put("nothing there", "/nowhere");
        paths.put("the root", "/v1");
        paths.put("a blank end", "/v1/claims/");
        paths.put("two slashes", "//v1/claims");
        paths.put("two slashes inside", "/v1//claims");
        paths.put("capitals", "/V1/Claims");
        paths.put("dots", "/v1/../etc/passwd");
        paths.put("escaped dots", "/v1/%2e%2e/%2e%2e/etc/passwd");
        paths.put("an escaped slash", "/v1%2fclaims");
        paths.put("an escaped backslash", "/docs/..%5c..%5csemel.yml");
        paths.put("an escaped NUL", "/v1/claims%00");
        paths.put("an escaped line break", "/v1/claims%0d%0aX-Injected:%201");
        paths.put("a broken escape", "/v1/claims/%zz/succeed");
        paths.put("half an escape", "/v1/claims/%");
        paths.put("an overlong escape", "/v1/claims/%c0%af/succeed");
        paths.put("an escape of a bare surrogate", "/v1/claims/%ed%a0%80/succeed");
        paths.put("matrix parameters", "/v1/claims;x=1");
        paths.put("no claim", "/v1/claims/nonsense/succeed");
        paths.put("an unknown action", "/v1/claims/nonsense/explode");
        paths.put("a very long claim id", "/v1/claims/" + "a".repeat(4_000) + "/succeed");
        paths.put("a hidden file", "/.env");
        paths.put("a folder of the docs", "/docs/../../data");
        paths.forEach((name, path) -> cases.add(HostileCase.content(
                "POST to %s".formatted(name),
                Raw.request("POST", path).json("{\"token\":\"t\",\"result\":1}"),
                400,
                404)));
        for (Endpoint endpoint : Endpoint.all()) {
            for (String method : List.of("GET", "PUT", "DELETE", "PATCH", "TRACE", "PROPFIND", "post", "QUACK")) {
                cases.add(HostileCase.content(
                        "%s %s".formatted(method, endpoint),
                        Raw.request(method, endpoint.path()).empty(),
                        400,
                        405));
            }
        }
        for (String query : List.of(
                "limit=0",
                "limit=-1",
                "limit=",
                "limit=x",
                "limit=1.5",
                "limit=99999999999999999999",
                "limit=0x10",
                "after=nonsense",
                "after=%00",
                "after=%ff",
                "after=" + "a".repeat(2_000))) {
            cases.add(HostileCase.content(
                    "a list with " + query.substring(0, Math.min(20, query.length())),
                    Raw.request("GET", "/api/ledger/events?org_id=%s&%s".formatted(Endpoint.TENANT, query))
                            .empty(),
                    400));
        }
        cases.add(HostileCase.content(
                "a list of no site", Raw.request("GET", "/api/calls").empty(), 400));
        for (String id : List.of("nonsense", "%00", "00000000-0000-0000-0000-00000000000g", "'%20OR%201=1", "-1")) {
            cases.add(HostileCase.content(
                    "the event " + id,
                    Raw.request("GET", "/api/ledger/events/" + id).empty(),
                    400,
                    404));
            cases.add(HostileCase.content(
                    "the call " + id, Raw.request("GET", "/api/calls/" + id).empty(), 400, 404));
        }
        return cases;
    }
}

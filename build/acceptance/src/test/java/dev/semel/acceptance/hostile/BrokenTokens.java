// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance.hostile;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** For production: callers without access. */
public final class BrokenTokens {
    private BrokenTokens() {}

    /**
     * Every endpoint with every invalid token.
     *
     * @param token a valid token, from which invalid ones are derived
     */
    public static List<HostileCase> cases(String token, String digest) {
        Map<String, String> wrong = new LinkedHashMap<>();
        wrong.put("no value", "");
        wrong.put("the scheme only", "Bearer");
        wrong.put("the scheme and a blank", "Bearer ");
        wrong.put("the token without a scheme", token);
        wrong.put("another scheme", "Basic " + token);
        wrong.put("a scheme run together", "Bearer" + token);
        wrong.put("the digest", "Bearer " + digest);
        wrong.put("a character too few", "Bearer " + token.substring(1));
        wrong.put("a character too many", "Bearer " + token + "x");
        wrong.put("a NUL at the end", "Bearer " + token + "\u0000");
        wrong.put("another case", "Bearer " + token.toUpperCase(java.util.Locale.ROOT));
        wrong.put("two tokens", "Bearer " + token + " " + token);
        wrong.put("a list", "Bearer " + token + ", Bearer " + token);
        wrong.put("quotes", "Bearer \"" + token + "\"");
        wrong.put("bytes beyond ASCII", "Bearer \u00ff\u00fe\u00fd");
        wrong.put("10,000 characters", "Bearer " + "t".repeat(10_000));
        List<HostileCase> cases = new ArrayList<>();
        for (Endpoint endpoint : Endpoint.all()) {
            if (endpoint.path().equals("/api/call-event")) {
                continue;
            }
            cases.add(HostileCase.content(
                    "%s with no token".formatted(endpoint), endpoint.post().json(endpoint.valid()), 401));
            wrong.forEach((name, value) -> cases.add(new HostileCase(
                    "%s with %s".formatted(endpoint, name),
                    endpoint.post().header("Authorization", value).json(endpoint.valid()),
                    value.indexOf('\u0000') >= 0 ? HostileCase.Kind.FRAMING : HostileCase.Kind.CONTENT,
                    Set.of(400, 401))));
            cases.add(HostileCase.content(
                    "%s with a right token and a wrong one".formatted(endpoint),
                    endpoint.post()
                            .header("Authorization", "Bearer " + token)
                            .header("Authorization", "Bearer x")
                            .json(endpoint.valid()),
                    400,
                    401));
        }
        return cases;
    }
}

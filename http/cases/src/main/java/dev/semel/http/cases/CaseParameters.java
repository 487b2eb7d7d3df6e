// SPDX-License-Identifier: Apache-2.0
package dev.semel.http.cases;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The parameters of a query. */
record CaseParameters(Map<String, List<String>> values) {
    static CaseParameters of(String query) {
        Map<String, List<String>> values = new LinkedHashMap<>();
        for (String pair : query.split("&", -1)) {
            int equals = pair.indexOf('=');
            String name = equals < 0 ? pair : pair.substring(0, equals);
            String value = equals < 0 ? "" : pair.substring(equals + 1);
            values.computeIfAbsent(decoded(name), key -> new ArrayList<>()).add(decoded(value));
        }
        return new CaseParameters(values);
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    boolean has(String name) {
        return values.containsKey(name);
    }

    List<String> all(String name) {
        return values.getOrDefault(name, List.of());
    }

    Optional<String> one(String name) {
        return all(name).stream().findFirst();
    }

    int number(String name, int otherwise) {
        return one(name).map(Integer::valueOf).orElse(otherwise);
    }

    /** {@code status=503,201}: the first run gets the first status. Runs after the last one get the last. */
    int statusOf(int run) {
        String[] statuses = one("error").or(() -> one("status")).orElse("200").split(",", -1);
        return Integer.parseInt(statuses[Math.min(run, statuses.length) - 1]);
    }

    byte[] body(int run) {
        Optional<String> base64 = one("base64");
        if (base64.isPresent()) {
            return Base64.getUrlDecoder().decode(base64.get());
        }
        String text = one("body").orElse("run {n}").replace("{n}", Integer.toString(run));
        return has("repeat") ? CaseRequest.repeated(text, number("repeat", 0)) : CaseApplication.utf8(text);
    }
}

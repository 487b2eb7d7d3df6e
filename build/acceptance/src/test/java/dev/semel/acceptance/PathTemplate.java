// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A path of the document, such as {@code /v1/claims/{claim_id}/renew}, and the values of a request for its parameters. */
record PathTemplate(String text, Map<String, String> values) {
    private static final Pattern NAME = Pattern.compile("\\{([^}]+)}");

    /** The template that a request's path matches, or null. A template without parameters takes precedence. */
    static PathTemplate matching(Collection<String> templates, String pathAndQuery) {
        String path = pathAndQuery.replaceFirst("\\?.*", "");
        return templates.stream()
                .sorted(Comparator.comparing(template -> template.contains("{")))
                .map(template -> match(template, path))
                .filter(found -> found != null)
                .findFirst()
                .orElse(null);
    }

    private static PathTemplate match(String template, String path) {
        List<String> names = new ArrayList<>();
        StringBuilder pattern = new StringBuilder();
        Matcher matcher = NAME.matcher(template);
        int end = 0;
        while (matcher.find()) {
            names.add(matcher.group(1));
            pattern.append(Pattern.quote(template.substring(end, matcher.start())))
                    .append("([^/]+)");
            end = matcher.end();
        }
        pattern.append(Pattern.quote(template.substring(end)));
        Matcher whole = Pattern.compile(pattern.toString()).matcher(path);
        if (!whole.matches()) {
            return null;
        }
        Map<String, String> values = new LinkedHashMap<>();
        for (int i = 0; i < names.size(); i++) {
            values.put(names.get(i), whole.group(i + 1));
        }
        return new PathTemplate(template, values);
    }
}

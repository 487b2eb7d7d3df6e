// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds placeholders that Spring Boot did not resolve. It binds {@code ${NAME}} as text if NAME is not set, and a secret that is in
 * the documentation is none.
 */
public final class UnresolvedPlaceholders {
    private static final Pattern UNRESOLVED = Pattern.compile("\\$\\{([^}:]*)[^}]*}");

    private UnresolvedPlaceholders() {}

    /**
     * Checks the value of a property.
     *
     * @throws InvalidSetupException if it contains a placeholder
     */
    public static void check(String property, @Nullable String value) {
        Matcher found = UNRESOLVED.matcher(value == null ? "" : value);
        if (found.find()) {
            throw new InvalidSetupException(
                    "%s is %s: %s is not set.".formatted(property, found.group(), found.group(1)),
                    "Set the environment variable or property %s on all instances.".formatted(found.group(1)));
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.internal;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Turns scopes into labels of metrics and statistics, without the parts that identify a workflow run or an actor, and with a
 * limit: a registry keeps every label that it has seen.
 */
public final class ScopeLabels {
    /** The label of all scopes beyond the limit. */
    public static final String OTHER = "other";

    /** {@code step:<run>:<step>}: both parts come from callers. */
    public static final String STEP = "step";

    private static final String STEP_PREFIX = STEP + ":";
    private static final String API_PREFIX = "api:";
    private static final String ACTOR = ":actor:";

    private final Set<String> known = ConcurrentHashMap.newKeySet();
    private final int max;

    /** @param max how many labels there may be */
    public ScopeLabels(int max) {
        this.max = max;
    }

    /** The label of a scope. */
    public String of(String scope) {
        String tag = withoutIds(scope);
        return known.contains(tag) || (known.size() < max && admitted(tag)) ? tag : OTHER;
    }

    /** Checks again, because several threads can meet the last free place. */
    private synchronized boolean admitted(String tag) {
        return known.contains(tag) || (known.size() < max && known.add(tag));
    }

    /** The scope without the parts that identify a workflow run or an actor. */
    public static String withoutIds(String scope) {
        if (scope.startsWith(STEP_PREFIX)) {
            return STEP;
        }
        // api:<method>:<path template>:actor:<actor>
        int actor = scope.startsWith(API_PREFIX) ? scope.indexOf(ACTOR) : -1;
        return actor < 0 ? scope : scope.substring(0, actor);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.claim.OwnerToken;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is known of the claims that were added last, by their tokens. If there are too many, the oldest is forgotten. A cache
 * that also counts uses would do its work on threads of the application, and these claims are asked for once.
 */
final class RecentClaims<V> {
    private final Map<OwnerToken, V> byAge;

    RecentClaims(int most) {
        this.byAge = new LinkedHashMap<>() {
            @Override
            protected boolean removeEldestEntry(Map.Entry<OwnerToken, V> eldest) {
                return size() > most;
            }
        };
    }

    synchronized @Nullable V get(OwnerToken token) {
        return byAge.get(token);
    }

    /** Adds a claim as the youngest, in the place of what was known of it. */
    synchronized void put(OwnerToken token, V known) {
        byAge.remove(token);
        byAge.put(token, known);
    }

    synchronized void remove(OwnerToken token) {
        byAge.remove(token);
    }
}

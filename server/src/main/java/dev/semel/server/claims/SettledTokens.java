// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.claims;

import dev.semel.claim.OwnerToken;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The most recent tokens that settled a claim on this instance. A token settles once. A repeated settlement stores
 * nothing and does not count against the tenant's limit.
 */
final class SettledTokens {
    private static final int MAX = 10_000;

    private final Map<OwnerToken, Boolean> last = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<OwnerToken, Boolean> eldest) {
            return size() > MAX;
        }
    };

    synchronized void add(OwnerToken token) {
        last.put(token, true);
    }

    synchronized boolean contains(OwnerToken token) {
        return last.containsKey(token);
    }
}

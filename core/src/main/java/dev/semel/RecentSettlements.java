// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.ClaimEvent.Kind;
import dev.semel.claim.OwnerToken;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What was reported of the last settlements, by their tokens. Each token has one place; a later settlement with the same place
 * replaces it. The places are arrays, mostly of numbers: the garbage collector would copy an object for each
 * settlement in every collection until it is forgotten.
 */
final class RecentSettlements {
    /** About 3.5 seconds of ten thousand settlements a second. */
    private static final int PLACES = 1 << 15;

    /** How many scopes are kept, each once for all its settlements. They may be long, and some are unique. */
    private static final int MAX_SCOPES = 1_000;

    /** Null before the first settlement: most engines settle no claims by reference. */
    private @Nullable Places places;

    /**
     * @param scope null if there are too many scopes
     * @param attempt the claim's attempt; 0 if it is not known
     */
    record Settled(@Nullable String scope, int attempt, Kind as) {}

    synchronized void put(OwnerToken token, String scope, int attempt, Kind as) {
        Places known = places;
        if (known == null) {
            known = new Places();
            places = known;
        }
        known.put(ByteBuffer.wrap(token.bytes()), scope, attempt, as);
    }

    synchronized @Nullable Settled get(OwnerToken token) {
        Places known = places;
        return known == null ? null : known.get(ByteBuffer.wrap(token.bytes()));
    }

    private static final class Places {
        private final long[] tokens = new long[2 * PLACES];
        private final int[] attempts = new int[PLACES];
        private final @Nullable Kind[] kinds = new @Nullable Kind[PLACES];
        private final @Nullable String[] scopes = new @Nullable String[PLACES];
        private final Map<String, String> keptScopes = new HashMap<>();

        void put(ByteBuffer token, String scope, int attempt, Kind as) {
            int place = place(token);
            tokens[2 * place] = token.getLong(0);
            tokens[2 * place + 1] = token.getLong(Long.BYTES);
            attempts[place] = attempt;
            kinds[place] = as;
            scopes[place] = kept(scope);
        }

        @Nullable
        Settled get(ByteBuffer token) {
            int place = place(token);
            Kind as = kinds[place];
            boolean found = tokens[2 * place] == token.getLong(0) && tokens[2 * place + 1] == token.getLong(Long.BYTES);
            return found && as != null ? new Settled(scopes[place], attempts[place], as) : null;
        }

        private @Nullable String kept(String scope) {
            return keptScopes.size() < MAX_SCOPES
                    ? keptScopes.computeIfAbsent(scope, first -> first)
                    : keptScopes.get(scope);
        }

        /** Tokens are random. */
        private static int place(ByteBuffer token) {
            return (int) token.getLong(0) & (PLACES - 1);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.claim.AliasedKey;
import dev.semel.claim.ClaimRef;
import dev.semel.claim.OwnerToken;
import dev.semel.key.ClaimMode;
import dev.semel.key.KeyDigests;
import dev.semel.key.KeyedRef;
import dev.semel.lane.Environment;
import dev.semel.spi.Alias;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The digests of one claim: that of its key by the current secret, and those by every other active secret and for every
 * alias. With one secret and no alias there are no others.
 */
record ClaimDigests(KeyedRef first, List<KeyedRef> others) {
    static ClaimDigests of(KeyDigests digests, AliasedKey key) {
        return of(digests, ClaimMode.LEASED, key);
    }

    static ClaimDigests of(KeyDigests digests, ClaimMode mode, AliasedKey key) {
        List<KeyedRef> all = new ArrayList<>(digests.allOf(mode, key.key()));
        key.aliases().forEach(alias -> all.addAll(digests.allOf(mode, alias)));
        return new ClaimDigests(all.get(0), List.copyOf(all.subList(1, all.size())));
    }

    ClaimRef ref() {
        return first.ref();
    }

    /** The other digests, each with a fresh token. */
    List<Alias> freshAliases(Environment environment) {
        return others.stream()
                .map(other -> new Alias(
                        other.ref(), other.secretId(), new OwnerToken(environment.randomBytes(OwnerToken.LENGTH))))
                .toList();
    }

    /** All digests, the first one first, in a set that the caller may change. */
    Set<ClaimRef> refs() {
        Set<ClaimRef> all = new LinkedHashSet<>();
        all.add(ref());
        others.forEach(other -> all.add(other.ref()));
        return all;
    }
}

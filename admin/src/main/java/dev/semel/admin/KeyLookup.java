// SPDX-License-Identifier: Apache-2.0
package dev.semel.admin;

import dev.semel.spi.ClaimEntry;
import java.util.List;

/**
 * The claims on a key.
 *
 * @param scopes how many scopes were tried
 * @param complete whether all scopes of the tenant were tried. If not, look up again with the scope
 */
public record KeyLookup(List<ClaimEntry> found, int scopes, boolean complete) {
    public KeyLookup {
        found = List.copyOf(found);
    }
}

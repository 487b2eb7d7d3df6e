// SPDX-License-Identifier: Apache-2.0
package dev.semel.claim;

import dev.semel.internal.BoundedText;
import java.util.Comparator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The reference of a claim: its tenant and its digest. The digest alone is unique. The tenant is part of every WHERE clause,
 * so that another tenant cannot use a leaked digest.
 */
public record ClaimRef(String tenant, Digest digest) implements Comparable<ClaimRef> {
    private static final Comparator<ClaimRef> ORDER =
            Comparator.comparing(ClaimRef::digest).thenComparing(ClaimRef::tenant);

    public ClaimRef {
        BoundedText.check("A tenant", tenant, ClaimKey.MAX_TENANT);
        Objects.requireNonNull(digest, "A claim's digest must not be null");
    }

    /** By digest: the order in which every batch takes its locks. */
    @Override
    public int compareTo(ClaimRef other) {
        return ORDER.compare(this, other);
    }

    // Written by hand: a cache calls them for every request, and those of a record are slow until they are compiled.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ClaimRef that && digest.equals(that.digest) && tenant.equals(that.tenant);
    }

    /** A digest alone is unique. */
    @Override
    public int hashCode() {
        return digest.hashCode();
    }
}

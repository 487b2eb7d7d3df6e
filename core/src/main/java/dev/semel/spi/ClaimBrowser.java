// SPDX-License-Identifier: Apache-2.0
package dev.semel.spi;

import dev.semel.claim.ClaimKey;
import dev.semel.claim.ClaimRef;
import dev.semel.claim.Digest;
import dev.semel.claim.Status;
import dev.semel.internal.BoundedText;
import java.time.Instant;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Looking at claims without touching them: for operators, consoles and metrics. */
public interface ClaimBrowser {
    /** The claim, by its own digest or an alias's, unless it is absent or another tenant's, which look the same. Expired ones are shown until swept. */
    Optional<ClaimEntry> find(ClaimRef ref);

    /** A page of a tenant's claims, newest first. */
    List<ClaimEntry> page(Query query);

    /** How many claims a tenant has in each state; states without any are left out. */
    Map<Status, Long> counts(String tenant);

    /**
     * How many unexpired claims, of all tenants, have a name that only this secret finds: it must not be dropped from
     * the live ones before there are none. Counts a claim if more of its names were made by this secret than by others.
     * Looks at every claim, so it may take a while.
     */
    long onlyFoundBy(String secretId);

    /** Where a page ended: the next one starts behind it. */
    record Cursor(Instant createdAt, Digest digest) {
        /** The order of a page: newest first, and by digest where the moment is the same. */
        public static final Comparator<Cursor> NEWEST_FIRST = Comparator.comparing(Cursor::createdAt)
                .thenComparing(Cursor::digest)
                .reversed();

        /** The position of an entry. */
        public static Cursor of(ClaimEntry entry) {
            return new Cursor(entry.createdAt(), entry.ref().digest());
        }
    }

    /**
     * What to list.
     *
     * @param scope only this one; null for all
     * @param statuses only these
     * @param after the last entry of the page before; null for the first page
     * @param limit at most so many
     */
    record Query(
            String tenant,
            @Nullable String scope,
            Set<Status> statuses,
            @Nullable Cursor after,
            int limit) {
        /** The most entries a page may have. */
        public static final int MAX_LIMIT = 1_000;

        public Query {
            BoundedText.check("A tenant", tenant, ClaimKey.MAX_TENANT);
            if (scope != null) {
                BoundedText.check("A scope", scope, ClaimKey.MAX_SCOPE);
            }
            Objects.requireNonNull(statuses, "The statuses must not be null");
            statuses = statuses.isEmpty() ? EnumSet.allOf(Status.class) : Set.copyOf(statuses);
            if (limit < 1 || limit > MAX_LIMIT) {
                throw new IllegalArgumentException(
                        "A page must have 1 to %d entries, but %d were asked for".formatted(MAX_LIMIT, limit));
            }
        }

        /** All of a tenant's claims, from the newest. */
        public static Query of(String tenant, int limit) {
            return new Query(tenant, null, EnumSet.allOf(Status.class), null, limit);
        }

        public Query inScope(String value) {
            return new Query(tenant, value, statuses, after, limit);
        }

        public Query withStatus(Status first, Status... more) {
            return new Query(tenant, scope, EnumSet.of(first, more), after, limit);
        }

        public Query after(Cursor value) {
            return new Query(tenant, scope, statuses, value, limit);
        }
    }
}

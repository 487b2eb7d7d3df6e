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

/** Reads claims without changing them: for operators, consoles and metrics. */
public interface ClaimBrowser {
    /**
     * The claim with this digest, or the one that an alias points to. An absent claim and another tenant's look the same.
     * Expired claims are shown until they are swept.
     */
    Optional<ClaimEntry> find(ClaimRef ref);

    /** A page of a tenant's claims, newest first. */
    List<ClaimEntry> page(Query query);

    /** How many claims a tenant has in each state. States without claims are not included. */
    Map<Status, Long> counts(String tenant);

    /**
     * How many unexpired claims, of all tenants, have a digest that only this secret finds. Do not remove the secret before the
     * number is 0. A claim counts if more of its digests were made by this secret than by others. Reads every claim, so it may
     * take a while.
     */
    long onlyFoundBy(String secretId);

    /** The end of a page; the next page starts after it. */
    record Cursor(Instant createdAt, Digest digest) {
        /** The order of a page: newest first, and by digest where the time is the same. */
        public static final Comparator<Cursor> NEWEST_FIRST = Comparator.comparing(Cursor::createdAt)
                .thenComparing(Cursor::digest)
                .reversed();

        /** The position of an entry. */
        public static Cursor of(ClaimEntry entry) {
            return new Cursor(entry.createdAt(), entry.ref().digest());
        }
    }

    /**
     * The filter and the bounds of a page.
     *
     * @param scope only claims of this scope; null for all
     * @param statuses only claims in these states
     * @param after the last entry of the previous page; null for the first page
     * @param limit the maximum number of entries
     */
    record Query(
            String tenant,
            @Nullable String scope,
            Set<Status> statuses,
            @Nullable Cursor after,
            int limit) {
        /** The maximum number of entries on a page. */
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

        /** All claims of a tenant, newest first. */
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

// SPDX-License-Identifier: Apache-2.0
package dev.semel.spi;

import dev.semel.claim.ClaimKey;
import dev.semel.claim.ClaimRef;
import dev.semel.claim.Digest;
import dev.semel.claim.Status;
import dev.semel.internal.BoundedText;
import java.time.Duration;
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

    /** A page of a tenant's claims, newest first. Reads at most {@link Query#MAX_SCAN} claims. */
    ClaimPage page(Query query);

    /**
     * The claims of a tenant whose digest, or that of an alias, starts with these hexadecimal digits.
     *
     * @param prefix {@value #MIN_PREFIX} to 64 digits
     * @param limit the maximum number of claims
     */
    List<ClaimEntry> withPrefix(String tenant, String prefix, int limit);

    /** The shortest prefix of a digest that can be looked up. */
    int MIN_PREFIX = 6;

    /** The scopes of a tenant's newest {@link Query#MAX_SCAN} claims. */
    Scopes scopes(String tenant, int limit);

    /**
     * Scopes of a tenant.
     *
     * @param complete whether these are all of them
     */
    record Scopes(Set<String> names, boolean complete) {
        public Scopes {
            names = Set.copyOf(names);
        }
    }

    /**
     * Checks a prefix.
     *
     * @throws IllegalArgumentException if it is too short, too long, or not in lower-case hexadecimal digits
     */
    static void checkPrefix(String prefix) {
        if (!prefix.matches("[0-9a-f]{%d,%d}".formatted(MIN_PREFIX, 2 * Digest.LENGTH))) {
            throw new IllegalArgumentException(
                    "A prefix must have %d to %d digits 0-9 or a-f".formatted(MIN_PREFIX, 2 * Digest.LENGTH));
        }
    }

    /** How many claims a tenant has in each state. States without claims are not included. */
    Map<Status, Long> counts(String tenant);

    /**
     * How many unexpired claims, of all tenants, have a digest that only this secret finds. Do not remove the secret before the
     * number is 0. A claim counts if more of its digests were made by this secret than by others. Reads every claim, so it may
     * take a while.
     */
    long onlyFoundBy(String secretId);

    /** How many claims a sweep would read now, counted up to a limit: the backlog of the cleanup. */
    long due(int limit);

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
     * @param from only claims made at this time or later; null for all
     * @param before only claims made before this time; null for all
     * @param minAge only claims made at least this long ago, by the store's clock; null for all
     * @param after the end of the previous page; null for the first page
     * @param limit the maximum number of entries
     */
    record Query(
            String tenant,
            @Nullable String scope,
            Set<Status> statuses,
            @Nullable Instant from,
            @Nullable Instant before,
            @Nullable Duration minAge,
            @Nullable Cursor after,
            int limit) {
        /** The maximum number of claims that are read for one page. */
        public static final int MAX_SCAN = 20_000;

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
            return new Query(tenant, null, EnumSet.allOf(Status.class), null, null, null, null, limit);
        }

        public Query inScope(String value) {
            return new Query(tenant, value, statuses, from, before, minAge, after, limit);
        }

        public Query withStatus(Status first, Status... more) {
            return withStatuses(EnumSet.of(first, more));
        }

        public Query withStatuses(Set<Status> values) {
            return new Query(tenant, scope, values, from, before, minAge, after, limit);
        }

        /** Only claims made at this time or later. */
        public Query from(Instant value) {
            return new Query(tenant, scope, statuses, value, before, minAge, after, limit);
        }

        /** Only claims made before this time. */
        public Query before(Instant value) {
            return new Query(tenant, scope, statuses, from, value, minAge, after, limit);
        }

        /** Only claims made at least this long ago. */
        public Query withMinAge(Duration value) {
            return new Query(tenant, scope, statuses, from, before, value, after, limit);
        }

        public Query after(Cursor value) {
            return new Query(tenant, scope, statuses, from, before, minAge, value, limit);
        }

        /** Whether a claim passes the filter, apart from the tenant and the cursor. */
        public boolean matches(ClaimEntry entry) {
            return (scope == null || scope.equals(entry.scope())) && statuses.contains(entry.status());
        }

        /** Whether claims are filtered by more than their time. */
        public boolean isFiltered() {
            return scope != null || statuses.size() < Status.values().length;
        }
    }
}

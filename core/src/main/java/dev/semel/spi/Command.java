// SPDX-License-Identifier: Apache-2.0
package dev.semel.spi;

import dev.semel.claim.ClaimKey;
import dev.semel.claim.ClaimRef;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.OwnerToken;
import dev.semel.claim.RecordId;
import dev.semel.claim.StalePolicy;
import dev.semel.claim.Status;
import dev.semel.claim.StoredResult;
import dev.semel.claim.Terms;
import dev.semel.internal.BoundedText;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The only two writes: insert if absent, and compare-and-set on the owner's token. Sending the same command again is always
 * safe, because its effect is recognized by its token ({@link #holdsIn}).
 */
public sealed interface Command {
    /** The claim that the command is for. */
    ClaimRef ref();

    /** The token of the owner after the command has taken effect. */
    OwnerToken token();

    /**
     * Whether this snapshot shows that the command has taken effect, now or when it was first sent.
     *
     * @throws IllegalStateException if the snapshot cannot tell ({@link #isUndecidedBy})
     */
    boolean holdsIn(Snapshot after);

    /** Whether this snapshot cannot tell, because its result was omitted ({@link StoredResult#isOmitted}). */
    default boolean isUndecidedBy(Snapshot after) {
        return false;
    }

    /**
     * Claims a free key.
     *
     * @param secretId the id of the secret that made the digest
     * @param aliases other digests of this claim, inserted in the same transaction; see {@link AliasPlan}
     */
    record Insert(
            ClaimRef ref,
            String scope,
            String secretId,
            OwnerToken token,
            RecordId record,
            Fingerprint fingerprint,
            Terms terms,
            List<Alias> aliases)
            implements Command {
        static final int MAX_SECRET_ID = 32;

        /** An insert with one digest. */
        public Insert(
                ClaimRef ref,
                String scope,
                String secretId,
                OwnerToken token,
                RecordId record,
                Fingerprint fingerprint,
                Terms terms) {
            this(ref, scope, secretId, token, record, fingerprint, terms, List.of());
        }

        public Insert {
            BoundedText.check("A scope", scope, ClaimKey.MAX_SCOPE);
            BoundedText.check("A secret's id", secretId, MAX_SECRET_ID);
            aliases = List.copyOf(aliases);
            Set<ClaimRef> known = aliases.isEmpty() ? Set.of() : new HashSet<>(Set.of(ref));
            for (Alias alias : aliases) {
                if (!alias.ref().tenant().equals(ref.tenant())) {
                    throw new IllegalArgumentException("An alias must be of the same tenant as its claim");
                }
                if (!known.add(alias.ref())) {
                    throw new IllegalArgumentException("An alias must differ from its claim and from other aliases");
                }
            }
        }

        /** The digests of the claim and of its aliases, in the order in which locks are taken. */
        public List<ClaimRef> refs() {
            return Stream.concat(Stream.of(ref), aliases.stream().map(Alias::ref))
                    .sorted()
                    .toList();
        }

        @Override
        public boolean holdsIn(Snapshot after) {
            return after.token().equals(token) && after.status() == Status.IN_PROGRESS;
        }
    }

    /** Changes a claim only if it still has the expected token. */
    sealed interface Swap extends Command {
        OwnerToken expected();
    }

    /**
     * Acquires a claim that is reclaimable and still has the token that was read. The lease is checked again, so that a renewal
     * or a settlement in between wins. A pointer to no record becomes a record.
     *
     * @param record the id of the record if the row has expired or points to no record; otherwise the row keeps its id. Null
     *     if the row was not absent when it was read: then it is not taken over if it is absent by now, because its aliases
     *     may have another record since
     */
    record TakeOver(
            ClaimRef ref,
            OwnerToken expected,
            OwnerToken token,
            @Nullable RecordId record,
            Fingerprint fingerprint,
            Terms terms)
            implements Swap {
        public TakeOver {
            if (expected.equals(token)) {
                throw new IllegalArgumentException("A take-over requires a fresh token");
            }
        }

        @Override
        public boolean holdsIn(Snapshot after) {
            return after.token().equals(token) && after.status() == Status.IN_PROGRESS;
        }
    }

    /** Prolongs the lease from now, up to the maximum run time. A lease of zero gives the claim up. */
    record Renew(ClaimRef ref, OwnerToken expected, Duration lease) implements Swap {
        @Override
        public OwnerToken token() {
            return expected;
        }

        public Renew {
            if (!lease.isZero()) {
                Terms.bounded("A lease", lease);
            }
        }

        @Override
        public boolean holdsIn(Snapshot after) {
            return after.token().equals(expected) && after.status() == Status.IN_PROGRESS;
        }
    }

    /**
     * Gives back a claim whose work was not begun. The attempt does not count: {@code attempt} decreases by one. The
     * fence stays, so it is never used twice. The row gets a fresh token: a command that is sent again is recognized by
     * it and does not decrease the attempt twice, and a settlement by the former owner is refused.
     *
     * @param token the fresh token, which belongs to no owner
     * @param onStale the policy of the lapsed owner from which the claim was taken over: the claim lapses again under it,
     *     because that owner may have had its effect. Null if there was none; then the claim becomes RETRYABLE
     */
    record GiveBack(
            ClaimRef ref,
            OwnerToken expected,
            OwnerToken token,
            @Nullable StalePolicy onStale) implements Swap {
        /** The reason that is stored with a claim that was given back as RETRYABLE. */
        public static final String REASON = "given back; nothing ran";

        public GiveBack {
            if (expected.equals(token)) {
                throw new IllegalArgumentException("Giving back requires a fresh token");
            }
            if (onStale == StalePolicy.PARK) {
                throw new IllegalArgumentException("A claim that lapsed under PARK is never taken over");
            }
        }

        /** The status after the command: RETRYABLE, or IN_PROGRESS with a lease that has ended. */
        public Status status() {
            return onStale == null ? Status.RETRYABLE : Status.IN_PROGRESS;
        }

        @Override
        public boolean holdsIn(Snapshot after) {
            return after.token().equals(token) && after.status() == status();
        }
    }

    /**
     * Ends an open claim: succeeded, failed permanently or retryably, or parked as unknown.
     *
     * @param granted what the owner knows of its claim, which stays true as long as its token owns it. A store that cannot
     *     return a row with its update may answer with these values. Null if they are not known
     */
    record Settle(
            ClaimRef ref,
            OwnerToken expected,
            Status status,
            @Nullable StoredResult result,
            @Nullable String reason,
            Verdict.@Nullable Applied granted)
            implements Swap {
        /** The maximum length of a reason, in characters. */
        public static final int MAX_REASON = 255;

        /** A settlement by somebody who knows only reference and token. */
        public Settle(
                ClaimRef ref,
                OwnerToken expected,
                Status status,
                @Nullable StoredResult result,
                @Nullable String reason) {
            this(ref, expected, status, result, reason, null);
        }

        @Override
        public OwnerToken token() {
            return expected;
        }

        public Settle {
            if (status == Status.IN_PROGRESS) {
                throw new IllegalArgumentException("A claim cannot be settled as IN_PROGRESS");
            }
            if (reason != null) {
                BoundedText.check("A reason", reason, MAX_REASON);
            }
            if (result != null && result.isOmitted()) {
                throw new IllegalArgumentException("A result that was omitted from an answer cannot be stored");
            }
            if (granted != null && !granted.ref().equals(ref)) {
                throw new IllegalArgumentException("What the owner knows must be about the claim that it settles");
            }
        }

        @Override
        public boolean holdsIn(Snapshot after) {
            if (isUndecidedBy(after)) {
                throw new IllegalStateException(
                        "The snapshot omits the result that the settlement is compared with: read the claim alone");
            }
            return holdsButForResultIn(after) && Objects.equals(after.result(), result);
        }

        /** If all else and the size are the same, only the bytes can tell. */
        @Override
        public boolean isUndecidedBy(Snapshot after) {
            StoredResult there = after.result();
            return there != null
                    && there.isOmitted()
                    && result != null
                    && result.size() == there.size()
                    && holdsButForResultIn(after);
        }

        private boolean holdsButForResultIn(Snapshot after) {
            return after.token().equals(expected) && after.status() == status && Objects.equals(after.reason(), reason);
        }
    }
}

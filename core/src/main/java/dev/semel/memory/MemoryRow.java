// SPDX-License-Identifier: Apache-2.0
package dev.semel.memory;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.OwnerToken;
import dev.semel.claim.RecordId;
import dev.semel.claim.StalePolicy;
import dev.semel.claim.Status;
import dev.semel.claim.StoredResult;
import dev.semel.claim.Terms;
import dev.semel.spi.Alias;
import dev.semel.spi.ClaimEntry;
import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One claim, immutable: the columns of {@code idempotency_keys}, and the transitions as functions. */
record MemoryRow(
        ClaimRef ref,
        String scope,
        String secretId,
        Status status,
        OwnerToken token,
        RecordId record,
        Fingerprint fingerprint,
        int attempt,
        long fence,
        StalePolicy onStale,
        Optional<Duration> ttl,
        Instant createdAt,
        Instant leaseUntil,
        Instant runUntil,
        @Nullable Instant completedAt,
        @Nullable Instant expiresAt,
        @Nullable StoredResult result,
        @Nullable String reason,
        @Nullable ClaimRef aliasOf,
        @Nullable ClaimRef conflict) {

    static MemoryRow inserted(Command.Insert insert, Instant now) {
        return started(
                insert.ref(),
                insert.scope(),
                insert.secretId(),
                insert.token(),
                insert.record(),
                insert.fingerprint(),
                1,
                micros(now),
                insert.terms(),
                now,
                null,
                now);
    }

    /** A row that points to a record. A version that does not know aliases reads it as a claim that may not run. */
    static MemoryRow pointer(Alias alias, Command.Insert insert, ClaimRef record, Instant now) {
        return new MemoryRow(
                alias.ref(),
                insert.scope(),
                alias.secretId(),
                Status.UNKNOWN,
                alias.token(),
                insert.record(),
                Fingerprint.NONE,
                1,
                micros(now),
                StalePolicy.PARK,
                Optional.empty(),
                now,
                now,
                now,
                null,
                null,
                null,
                Alias.REASON,
                record,
                null);
    }

    /** This free row as a pointer to a record. It keeps its secret, because it keeps its digest. */
    MemoryRow pointing(Alias alias, Command.Insert insert, ClaimRef record, Instant now) {
        MemoryRow made = pointer(new Alias(ref, secretId, alias.token()), insert, record, now);
        return new MemoryRow(
                ref,
                scope,
                secretId,
                made.status,
                made.token,
                made.record,
                made.fingerprint,
                made.attempt,
                Math.max(fence + 1, made.fence),
                made.onStale,
                made.ttl,
                made.createdAt,
                made.leaseUntil,
                made.runUntil,
                made.completedAt,
                made.expiresAt,
                made.result,
                made.reason,
                made.aliasOf,
                made.conflict);
    }

    /** This free row as the record of a new claim. */
    MemoryRow begunBy(Command.Insert insert, Instant now) {
        return started(
                ref,
                scope,
                secretId,
                insert.token(),
                insert.record(),
                insert.fingerprint(),
                1,
                Math.max(fence + 1, micros(now)),
                insert.terms(),
                now,
                null,
                now);
    }

    MemoryRow conflicting(ClaimRef other) {
        return new MemoryRow(
                ref,
                scope,
                secretId,
                status,
                token,
                record,
                fingerprint,
                attempt,
                fence,
                onStale,
                ttl,
                createdAt,
                leaseUntil,
                runUntil,
                completedAt,
                expiresAt,
                result,
                reason,
                aliasOf,
                conflict == null ? other : conflict);
    }

    MemoryRow takenOver(Command.TakeOver takeOver, Instant now) {
        RecordId newLife = absent(now) ? takeOver.record() : null;
        return started(
                ref,
                scope,
                secretId,
                takeOver.token(),
                newLife == null ? record : newLife,
                takeOver.fingerprint(),
                newLife == null ? attempt + 1 : 1,
                Math.max(fence + 1, micros(now)),
                takeOver.terms().withOnStale(policyAfter(takeOver)),
                newLife == null ? createdAt : now,
                newLife == null ? conflict : null,
                now);
    }

    /** A claim that must be reconciled never becomes one that may simply run again. */
    private StalePolicy policyAfter(Command.TakeOver takeOver) {
        StalePolicy wanted = takeOver.terms().onStale();
        boolean laxer = onStale == StalePolicy.RECONCILE && wanted == StalePolicy.RERUN;
        return status == Status.IN_PROGRESS && laxer ? onStale : wanted;
    }

    private static MemoryRow started(
            ClaimRef ref,
            String scope,
            String secretId,
            OwnerToken token,
            RecordId record,
            Fingerprint fingerprint,
            int attempt,
            long fence,
            Terms terms,
            Instant createdAt,
            @Nullable ClaimRef conflict,
            Instant now) {
        return new MemoryRow(
                ref,
                scope,
                secretId,
                Status.IN_PROGRESS,
                token,
                record,
                fingerprint,
                attempt,
                fence,
                terms.onStale(),
                terms.ttl(),
                createdAt,
                now.plus(terms.lease()),
                now.plus(terms.maxRun()),
                null,
                null,
                null,
                null,
                null,
                conflict);
    }

    MemoryRow renewed(Duration lease, Instant now) {
        Instant wanted = now.plus(lease);
        Instant until = wanted.isBefore(runUntil) ? wanted : runUntil;
        return new MemoryRow(
                ref,
                scope,
                secretId,
                status,
                token,
                record,
                fingerprint,
                attempt,
                fence,
                onStale,
                ttl,
                createdAt,
                until,
                runUntil,
                completedAt,
                expiresAt,
                result,
                reason,
                aliasOf,
                conflict);
    }

    MemoryRow settled(Status to, @Nullable StoredResult withResult, @Nullable String why, Instant now) {
        Instant expiry = to == Status.UNKNOWN ? null : ttl.map(now::plus).orElse(null);
        return new MemoryRow(
                ref,
                scope,
                secretId,
                to,
                token,
                record,
                fingerprint,
                attempt,
                fence,
                onStale,
                ttl,
                createdAt,
                leaseUntil,
                runUntil,
                now,
                expiry,
                withResult,
                why,
                aliasOf,
                conflict);
    }

    /** The row after an attempt that was not begun. */
    MemoryRow givenBack(Command.GiveBack command, Instant now) {
        boolean retryable = command.status() == Status.RETRYABLE;
        return new MemoryRow(
                ref,
                scope,
                secretId,
                command.status(),
                command.token(),
                record,
                fingerprint,
                Math.max(attempt - 1, 0),
                fence,
                command.onStale() == null ? onStale : command.onStale(),
                ttl,
                createdAt,
                now.isBefore(runUntil) ? now : runUntil,
                runUntil,
                retryable ? now : null,
                retryable ? ttl.map(now::plus).orElse(null) : null,
                null,
                retryable ? Command.GiveBack.REASON : null,
                aliasOf,
                conflict);
    }

    /** The same row with everything moved into the past by this much. */
    MemoryRow aged(Duration by) {
        return new MemoryRow(
                ref,
                scope,
                secretId,
                status,
                token,
                record,
                fingerprint,
                attempt,
                fence,
                onStale,
                ttl,
                createdAt.minus(by),
                leaseUntil.minus(by),
                runUntil.minus(by),
                completedAt == null ? null : completedAt.minus(by),
                expiresAt == null ? null : expiresAt.minus(by),
                result,
                reason,
                aliasOf,
                conflict);
    }

    /** Whether the row counts as absent if it is reclaimable. */
    boolean absent(Instant now) {
        return expired(now) || aliasOf != null;
    }

    boolean expired(Instant now) {
        return expiresAt != null && !expiresAt.isAfter(now);
    }

    /**
     * Whether its lease ended a TTL ago, so that its owner will not return. A claim that must be reconciled is not abandoned:
     * its next caller asks the probe, however late.
     */
    boolean abandoned(Instant now) {
        return status == Status.IN_PROGRESS
                && onStale != StalePolicy.RECONCILE
                && ttl.isPresent()
                && !leaseUntil.plus(ttl.get()).isAfter(now);
    }

    Snapshot snapshot(Instant now) {
        Duration leaseLeft = status == Status.IN_PROGRESS ? Duration.between(now, leaseUntil) : Duration.ZERO;
        return new Snapshot(
                ref,
                scope,
                status,
                token,
                record,
                fingerprint,
                attempt,
                fence,
                onStale,
                leaseLeft,
                expiresAt == null ? null : Duration.between(now, expiresAt),
                result,
                reason,
                aliasOf);
    }

    ClaimEntry entry(Instant now) {
        return new ClaimEntry(
                ref,
                scope,
                status,
                snapshot(now).lapsed(),
                attempt,
                fence,
                onStale,
                secretId,
                createdAt,
                status == Status.IN_PROGRESS ? leaseUntil : null,
                completedAt,
                expiresAt,
                result == null ? null : result.type(),
                result == null ? 0 : result.size(),
                reason,
                conflict);
    }

    static long micros(Instant now) {
        return Math.addExact(Math.multiplyExact(now.getEpochSecond(), 1_000_000L), now.getNano() / 1_000);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.semel.testkit;

import dev.semel.spi.ClaimEntry;
import dev.semel.spi.Snapshot;
import dev.semel.spi.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * The part of a claim that two stores with different clocks must agree on: everything except the fence, which comes from
 * the clock. Of times only the distances within one claim are compared, in steps of {@link #GRAIN}.
 */
final class ComparableClaim {
    /** So coarse that the duration of a test makes no difference. Tests that compare times use multiples of it. */
    static final Duration GRAIN = Duration.ofMinutes(20);

    private ComparableClaim() {}

    static Object of(Verdict verdict) {
        if (verdict instanceof Verdict.Applied applied) {
            return "applied to %s: record %s, attempt %d, %s"
                    .formatted(
                            applied.ref(),
                            applied.record().hex(),
                            applied.attempt(),
                            applied.leaseLeft().isZero() ? "no lease" : "leased");
        }
        if (verdict instanceof Verdict.Refused refused) {
            return "refused: " + of(refused.claim()) + ", in conflict with " + refused.conflict();
        }
        return verdict;
    }

    static String of(@Nullable Snapshot claim) {
        if (claim == null) {
            return "absent";
        }
        return "%s in scope %s: %s, token %s, record %s, fingerprint %s, sketch %s, attempt %d, %s, %s, %s, result %s %s, reason %s, alias of %s"
                .formatted(
                        claim.ref(),
                        claim.scope(),
                        claim.status(),
                        claim.token().hex(),
                        claim.record().hex(),
                        claim.fingerprint().hex(),
                        HexFormat.of().formatHex(claim.fingerprint().sketch()),
                        claim.attempt(),
                        claim.onStale(),
                        claim.leaseLeft().isZero() ? "no lease" : "leased",
                        claim.ttlLeft() == null ? "without end" : "ends in " + grains(claim.ttlLeft()),
                        claim.result(),
                        claim.result() == null ? "" : claim.result().text(),
                        claim.reason(),
                        claim.aliasOf());
    }

    static String of(ClaimEntry entry) {
        return "%s in scope %s: %s, %s, attempt %d, %s, secret %s, result %s of %d bytes, reason %s, in conflict with %s, "
                        .formatted(
                                entry.ref(),
                                entry.scope(),
                                entry.status(),
                                entry.lapsed() ? "lapsed" : "not lapsed",
                                entry.attempt(),
                                entry.onStale(),
                                entry.secretId(),
                                entry.resultType(),
                                entry.resultSize(),
                                entry.reason(),
                                entry.conflictsWith())
                + "created %s and started %s before the last change, completed %s and expiring %s after it"
                        .formatted(
                                grains(entry.createdAt(), entry.updatedAt()),
                                grains(entry.startedAt(), entry.updatedAt()),
                                grains(entry.updatedAt(), entry.completedAt()),
                                grains(entry.updatedAt(), entry.expiresAt()));
    }

    private static String grains(Instant from, @Nullable Instant to) {
        if (to == null) {
            return "never";
        }
        return grains(Duration.between(from, to));
    }

    private static String grains(Duration time) {
        long grains = Math.round((double) time.toMillis() / GRAIN.toMillis());
        return GRAIN.multipliedBy(grains).toString();
    }
}

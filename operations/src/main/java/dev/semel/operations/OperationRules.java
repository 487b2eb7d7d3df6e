// SPDX-License-Identifier: Apache-2.0
package dev.semel.operations;

import dev.semel.claim.StalePolicy;
import dev.semel.claim.Terms;
import dev.semel.payload.Keep;
import dev.semel.payload.redact.AllowList;
import dev.semel.payload.redact.Redaction;
import dev.semel.payload.redact.Sanitiser;
import java.time.Duration;
import java.util.Objects;

/**
 * The rules for claims and results of operations, steps and payments.
 *
 * @param terms lease, maximum run time, TTL, and what happens when an owner disappears: run again, or park
 * @param maxWait how long a duplicate waits for the running call; the default is zero
 * @param keep the form in which a result is stored. The first caller always gets the full result
 * @param sanitiser what may be stored in the clear if results are stored sanitised
 */
public record OperationRules(Terms terms, Duration maxWait, Keep keep, Sanitiser sanitiser) {
    private static final Duration LONGEST_WAIT = Duration.ofHours(24);

    /** The default for operations: kept for one day, only customer-safe members. */
    public static final OperationRules OPERATION =
            new OperationRules(Terms.DEFAULT, Duration.ZERO, Keep.SANITISED, AllowList.CUSTOMER_SAFE);

    /** The default for steps: kept for one day, complete and encrypted. */
    public static final OperationRules STEP =
            new OperationRules(Terms.DEFAULT, Duration.ZERO, Keep.SEALED, Redaction.DEFAULT);

    /** The default for payments: kept for one day, without sensitive data, phone numbers masked. */
    public static final OperationRules PAYMENT =
            new OperationRules(Terms.DEFAULT, Duration.ZERO, Keep.SANITISED, Redaction.DEFAULT);

    public OperationRules {
        Objects.requireNonNull(terms, "Terms must not be null");
        Objects.requireNonNull(maxWait, "maxWait must not be null: Duration.ZERO means no wait");
        Objects.requireNonNull(keep, "Keep must not be null");
        Objects.requireNonNull(sanitiser, "A sanitiser must not be null");
        if (maxWait.isNegative() || maxWait.compareTo(LONGEST_WAIT) > 0) {
            throw new IllegalArgumentException("maxWait must be between 0 and 24 hours, but is " + maxWait);
        }
        if (terms.onStale() == StalePolicy.RECONCILE) {
            throw new IllegalArgumentException(
                    "Reconciling requires a probe, which these rules do not have: use Semel.execute with"
                            + " Operation.reconcileWhenStale(probe)");
        }
    }

    /** How many hours a result is kept after it is settled. */
    public OperationRules ttlHours(int hours) {
        return with(terms.withTtl(Duration.ofHours(positive("A TTL in hours", hours))));
    }

    /** Results are kept without limit. */
    public OperationRules withoutExpiry() {
        return with(terms.withoutExpiry());
    }

    /**
     * After how many minutes without a renewal another caller may take over. A live process renews its claim automatically,
     * for at most twelve times this duration.
     */
    public OperationRules staleTakeoverMinutes(int minutes) {
        return with(terms.withLease(Duration.ofMinutes(positive("A stale take-over in minutes", minutes))));
    }

    /** Parks the claim when its owner disappears: the outcome is unknown until an operator decides. */
    public OperationRules parkWhenStale() {
        return with(terms.withOnStale(StalePolicy.PARK));
    }

    /** The same rules with other terms. */
    public OperationRules with(Terms other) {
        return new OperationRules(other, maxWait, keep, sanitiser);
    }

    /** How long a duplicate waits for the running call. Without a wait it is {@code in_progress} at once. */
    public OperationRules waitingUpTo(Duration wait) {
        return new OperationRules(terms, wait, keep, sanitiser);
    }

    public OperationRules keep(Keep form) {
        return new OperationRules(terms, maxWait, form, sanitiser);
    }

    /** Stores results in the clear after this sanitiser. */
    public OperationRules sanitisedBy(Sanitiser other) {
        return new OperationRules(terms, maxWait, Keep.SANITISED, other);
    }

    private static int positive(String name, int value) {
        if (value < 1) {
            throw new IllegalArgumentException("%s must be at least 1, but is %d".formatted(name, value));
        }
        return value;
    }
}
